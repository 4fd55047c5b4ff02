package dev.sluice.activities.parquet;

import dev.sluice.catalog.NewDataFile;

/** What a file that fits becomes. */
public sealed interface MatchResult {

  /** A data file to register. */
  record Register(NewDataFile file) implements MatchResult {}

  /**
   * A valid file without rows, which the catalog never lists.
   *
   * @param path where it lies
   */
  record WithoutRows(String path) implements MatchResult {}
}
