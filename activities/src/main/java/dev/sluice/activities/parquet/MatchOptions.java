package dev.sluice.activities.parquet;

/**
 * How strictly a file must fit a table.
 *
 * @param missingColumns when the file (and its path) lacks a column of the table
 * @param extraColumns when the file has a column that the table lacks
 * @param partitionValues when a file of a partitioned table shows no single value for a key
 */
public record MatchOptions(
    MissingColumns missingColumns, ExtraColumns extraColumns, PartitionValues partitionValues) {

  /** Every difference is refused. */
  public static final MatchOptions STRICT =
      new MatchOptions(MissingColumns.REFUSE, ExtraColumns.REFUSE, PartitionValues.REQUIRED);

  /** Partition values required. */
  public MatchOptions(MissingColumns missingColumns, ExtraColumns extraColumns) {
    this(missingColumns, extraColumns, PartitionValues.REQUIRED);
  }

  /** What a missing column means; nested fields included. */
  public enum MissingColumns {
    REFUSE,
    /** The column's initial default, else NULL. */
    READ_AS_DEFAULT
  }

  /** What becomes of a column that the table lacks; nested fields included. */
  public enum ExtraColumns {
    REFUSE,
    /** It is not mapped and nobody sees it. */
    IGNORE
  }

  /** Whether a file must belong to one partition. */
  public enum PartitionValues {
    REQUIRED,
    /** A file that shows no single value per key is registered without partition values. */
    WHEN_KNOWN
  }
}
