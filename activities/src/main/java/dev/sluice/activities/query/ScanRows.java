package dev.sluice.activities.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan, one at a time. Every value is DuckDB's own text of it, which is exact for all
 * types where the JDBC driver is not (128-bit integers, 24:00:00, the infinities, nested values);
 * blobs are upper-case hex. Not thread-safe; closing it early ends the scan.
 */
public interface ScanRows extends AutoCloseable {

  /** The columns, in the order of the values. */
  List<ScanColumn> columns();

  /**
   * Moves to the next row.
   *
   * @return false when there is none
   * @throws QueryException if the data cannot be read
   */
  boolean next();

  /** The text of a value of the current row; null for NULL. Columns count from 0. */
  @Nullable String text(int column);

  /** All texts of the current row; null for NULL. */
  default List<@Nullable String> row() {
    List<@Nullable String> texts = new ArrayList<>();
    for (int i = 0; i < columns().size(); i++) {
      texts.add(text(i));
    }
    return Collections.unmodifiableList(texts);
  }

  @Override
  void close();
}
