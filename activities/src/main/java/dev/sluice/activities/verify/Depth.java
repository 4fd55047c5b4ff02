package dev.sluice.activities.verify;

/** How much of a generation is compared; each depth includes those before it. */
public enum Depth {
  /** Files, rows and bytes. */
  COUNTS,
  /**
   * Names and types, NULLs and bounds per column, rows per partition, distinct keys: from footers
   * where they suffice.
   */
  COLUMNS,
  /** Every value of every row, read from both sides. */
  CONTENT;

  /** Whether this depth includes the other. */
  public boolean includes(Depth other) {
    return compareTo(other) >= 0;
  }
}
