package dev.sluice.worker.config;

import dev.sluice.activities.landing.DeletedRows;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import java.util.Objects;

/**
 * How a source's generations may differ from its table and from each other.
 *
 * @param missingColumns when a file lacks a column
 * @param extraColumns when a file has a column more
 * @param schemaPolicy how far a publication may change the table's columns
 * @param foreignContent what to do with content in the table that Sluice did not put there
 * @param deletedRows what becomes of rows that a Delta table's deletion vectors take out
 */
public record SourceOptions(
    MissingColumns missingColumns,
    ExtraColumns extraColumns,
    SchemaPolicy schemaPolicy,
    ForeignContent foreignContent,
    DeletedRows deletedRows) {
  /** Files agree with each other, the table follows the source, foreign content is refused. */
  public static final SourceOptions DEFAULTS =
      new SourceOptions(
          MissingColumns.REFUSE,
          ExtraColumns.REFUSE,
          SchemaPolicy.SYNC,
          ForeignContent.REFUSE,
          DeletedRows.KEEP);

  /** Checks presence. */
  public SourceOptions {
    Objects.requireNonNull(missingColumns, "missingColumns");
    Objects.requireNonNull(extraColumns, "extraColumns");
    Objects.requireNonNull(schemaPolicy, "schemaPolicy");
    Objects.requireNonNull(foreignContent, "foreignContent");
    Objects.requireNonNull(deletedRows, "deletedRows");
  }

  /** The part that matching files needs. */
  public MatchOptions match() {
    return new MatchOptions(missingColumns, extraColumns);
  }
}
