package dev.sluice.worker.bench;

/**
 * What the catalog benchmark shall measure.
 *
 * @param statisticsRows rows of another table's files in the per-file column statistics
 * @param tables tables to list
 * @param turns how often each is done; the median counts
 */
public record CatalogBenchPlan(int statisticsRows, int tables, int turns) {

  /** Checks the numbers. */
  public CatalogBenchPlan {
    if (statisticsRows < FilledCatalog.COLUMNS || tables < 1 || turns < 1) {
      throw new IllegalArgumentException(
          "at least %d rows of statistics, 1 table and 1 turn: got %d rows, %d tables and %d turns"
              .formatted(FilledCatalog.COLUMNS, statisticsRows, tables, turns));
    }
  }
}
