package dev.sluice.activities.lake;

import org.jspecify.annotations.Nullable;

/**
 * What one write may take.
 *
 * @param memoryBytes memory of its own DuckDB, outside of Java's heap, above 0
 * @param temporaryBytes most that it spills into its folder, above 0; null for DuckDB's own bound,
 *     nine tenths of what is free there
 */
public record WriteLimits(long memoryBytes, @Nullable Long temporaryBytes) {

  /** Enough for rows to be sorted and partitioned in memory at usual sizes. */
  public static final long DEFAULT_MEMORY_BYTES = 1L << 30;

  /** Bounded memory, and what is free on disk. */
  public static final WriteLimits DEFAULTS = new WriteLimits(DEFAULT_MEMORY_BYTES, null);

  /** Checks the numbers. */
  public WriteLimits {
    if (memoryBytes <= 0 || (temporaryBytes != null && temporaryBytes <= 0)) {
      throw new IllegalArgumentException(
          "memory and room for temporary files above 0 bytes, got %d and %s"
              .formatted(memoryBytes, temporaryBytes));
    }
  }
}
