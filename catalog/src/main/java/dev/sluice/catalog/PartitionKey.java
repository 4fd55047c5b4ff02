package dev.sluice.catalog;

/**
 * One partition key: a top-level column and what is taken from it.
 *
 * @param column name of a top-level column
 * @param transform what is taken from the column's value
 */
public record PartitionKey(String column, PartitionTransform transform) {

  /** The column's value itself. */
  public static PartitionKey identity(String column) {
    return new PartitionKey(column, PartitionTransform.identity());
  }
}
