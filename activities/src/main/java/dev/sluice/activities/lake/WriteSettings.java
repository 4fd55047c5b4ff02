package dev.sluice.activities.lake;

import java.nio.file.Path;

/**
 * Limits of writes.
 *
 * @param folder for what DuckDB spills and for files on their way to an object store; made when
 *     missing
 * @param memoryBytes memory of each write's own DuckDB, outside of Java's heap
 * @param openFiles most files of a partitioned table that one write keeps open, at least 1; a
 *     partition that was closed early gets one more file
 * @param plans how often a write is planned anew on a newer snapshot, at least 1, before its
 *     conflict reaches the caller
 */
public record WriteSettings(Path folder, long memoryBytes, int openFiles, int plans) {

  /** Enough for rows to be sorted and partitioned in memory at usual sizes. */
  public static final long DEFAULT_MEMORY_BYTES = 1L << 30;

  /** DuckDB's own default; each open file buffers a row group at most. */
  public static final int DEFAULT_OPEN_FILES = 100;

  /** As many as DuckDB tries. */
  public static final int DEFAULT_PLANS = 10;

  /** Checks the numbers. */
  public WriteSettings {
    if (memoryBytes <= 0 || openFiles < 1 || plans < 1) {
      throw new IllegalArgumentException(
          "memory above 0 bytes, at least 1 open file and 1 plan, got %d, %d and %d"
              .formatted(memoryBytes, openFiles, plans));
    }
  }

  /** The defaults, with a folder. */
  public static WriteSettings in(Path folder) {
    return new WriteSettings(folder, DEFAULT_MEMORY_BYTES, DEFAULT_OPEN_FILES, DEFAULT_PLANS);
  }
}
