package dev.sluice.activities.lake;

import dev.sluice.catalog.read.Predicate;

/**
 * Which rows: those for which both parts are true, not NULL.
 *
 * @param predicate leaves out files that surely hold no such row
 * @param sql a condition of DuckDB's over the table's columns; looked at for every row of the other
 *     files
 */
public record RowCondition(Predicate predicate, String sql) {

  private static final String ALL = "TRUE";

  /** Every row. */
  public static RowCondition all() {
    return new RowCondition(Predicate.all(), ALL);
  }

  /** The rows that a predicate matches. */
  public static RowCondition of(Predicate predicate) {
    return new RowCondition(predicate, ALL);
  }

  /** The rows for which a condition in DuckDB's SQL is true. */
  public static RowCondition sql(String condition) {
    return new RowCondition(Predicate.all(), condition);
  }

  boolean isAll() {
    return sql.equals(ALL) && predicate.equals(Predicate.all());
  }
}
