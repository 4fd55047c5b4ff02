package dev.sluice.activities.temporal;

import dev.sluice.activities.parquet.ParquetFooters;

/**
 * How much one activity does at a time.
 *
 * @param copies object copies of one landing, at least 1
 * @param footers footers that one inspection or verification reads, at least 1
 */
public record Limits(int copies, int footers) {

  /** Enough to hide a store's latency, few enough for its request limits. */
  public static final int DEFAULT_COPIES = 32;

  /** Checks the numbers. */
  public Limits {
    if (copies < 1 || footers < 1) {
      throw new IllegalArgumentException(
          "at least 1 copy and 1 footer at a time, got %d and %d".formatted(copies, footers));
    }
  }

  /** What suits most stores. */
  public static Limits defaults() {
    return new Limits(DEFAULT_COPIES, ParquetFooters.DEFAULT_IN_FLIGHT);
  }
}
