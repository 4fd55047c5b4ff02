package dev.sluice.activities.verify;

import dev.sluice.activities.query.QueryException;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import java.nio.file.Path;
import java.util.List;

/** The source of a generation as verification reads it: from its own files, never from copies. */
public interface SourceSide {

  /**
   * The source's own columns.
   *
   * @param landed the columns that will be published; only for choices that the source leaves open,
   *     as the type of what stands in a path
   */
  List<ColumnSpec> columns(List<Column> landed);

  /**
   * The source's files, read as the columns that will be published.
   *
   * @param scratch an empty folder for whatever reading needs on this machine; the caller removes
   *     it
   */
  Side side(List<Column> landed, Path scratch);

  /**
   * Told when files could not be read, before that becomes a finding. A source whose files may go
   * away while they are read throws its own exception when they did; others do nothing.
   */
  default void onFailure(QueryException failure) {}
}
