package dev.sluice.worker.bench;

import java.time.Duration;

/**
 * What the register benchmark shall measure.
 *
 * @param files small Parquet files to register
 * @param columns columns of each
 * @param rowsPerFile rows of each
 * @param latency added to every request of an S3 endpoint; zero measures on local disk
 * @param duckDbFiles files on DuckDB's side; where there are fewer, its time for all of them is
 *     worked out from its measured growth
 */
public record RegisterPlan(
    int files, int columns, int rowsPerFile, Duration latency, int duckDbFiles) {

  /** Checks the numbers. */
  public RegisterPlan {
    if (files < 1 || columns < 1 || rowsPerFile < 1 || duckDbFiles < 1 || duckDbFiles > files) {
      throw new IllegalArgumentException(
          "at least 1 file, column and row, and at most as many files for DuckDB as for us: "
              + "got %d files, %d columns, %d rows and %d files for DuckDB"
                  .formatted(files, columns, rowsPerFile, duckDbFiles));
    }
    if (latency.isNegative()) {
      throw new IllegalArgumentException("latency is negative: " + latency);
    }
  }

  /** Whether the files lie on an S3 endpoint. */
  boolean onS3() {
    return !latency.isZero();
  }

  /** Whether DuckDB's time for all files is worked out instead of measured. */
  boolean extrapolates() {
    return duckDbFiles < files;
  }
}
