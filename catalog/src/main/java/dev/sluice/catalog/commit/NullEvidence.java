package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILE_COLUMN_STATS;

import dev.sluice.catalog.error.CatalogErrors;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;

/**
 * Whether live rows may hold NULL in a column, by the statistics of the files. Where those leave it
 * open the answer is yes: a column that forbids NULL and has it would be misread for good.
 */
final class NullEvidence {

  private final DSLContext dsl;
  private final InlinedTables inlined;

  NullEvidence(DSLContext dsl, InlinedTables inlined) {
    this.dsl = dsl;
    this.inlined = inlined;
  }

  /** Refuses unless every live row is known to have a value. Deleted rows of live files count. */
  void requireNone(TableDraft table, ColumnRow column) {
    if (!column.isLeaf()) {
      throw refused(
          table,
          column,
          "it is nested, and statistics only tell of the plain columns inside",
          "leave it as it is");
    }
    if (!table.newFiles().isEmpty()) {
      throw refused(
          table,
          column,
          "files are added in the same commit",
          "forbid NULL in a commit of its own");
    }
    if (inlined.liveRows(table) > 0) {
      throw refused(
          table,
          column,
          "DuckDB keeps rows of it in the catalog, for which there are no statistics",
          "write them to files first: CALL ducklake_flush_inlined_data('<lake>')");
    }
    doubtful(table, column)
        .ifPresent(
            path -> {
              throw refused(
                  table,
                  column,
                  "data file %s has NULL there, or does not say".formatted(path),
                  "replace the NULLs, or allow them");
            });
  }

  private Optional<String> doubtful(TableDraft table, ColumnRow column) {
    Condition unknown = DUCKLAKE_FILE_COLUMN_STATS.NULL_COUNT.isNull();
    if (column.initialDefault() != null) {
      // a file from before the column has no statistics of it, and reads as this default
      unknown = unknown.and(DUCKLAKE_FILE_COLUMN_STATS.DATA_FILE_ID.isNotNull());
    }
    return dsl.select(DUCKLAKE_DATA_FILE.PATH)
        .from(DUCKLAKE_DATA_FILE)
        .leftJoin(DUCKLAKE_FILE_COLUMN_STATS)
        .on(DUCKLAKE_FILE_COLUMN_STATS.DATA_FILE_ID.eq(DUCKLAKE_DATA_FILE.DATA_FILE_ID))
        .and(DUCKLAKE_FILE_COLUMN_STATS.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_FILE_COLUMN_STATS.COLUMN_ID.eq(column.id()))
        .where(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
        .and(DUCKLAKE_FILE_COLUMN_STATS.NULL_COUNT.ne(0L).or(unknown))
        .limit(1)
        .fetchOptional(DUCKLAKE_DATA_FILE.PATH);
  }

  private static RuntimeException refused(
      TableDraft table, ColumnRow column, String reason, String remedy) {
    return CatalogErrors.invalid(
        "table " + table.qualifiedName(),
        "column %s cannot forbid NULL".formatted(column.name()),
        reason,
        remedy);
  }
}
