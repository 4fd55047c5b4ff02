package dev.sluice.activities.query;

import java.nio.file.Path;

/**
 * What one embedded DuckDB may use.
 *
 * @param memoryBytes memory of its own, outside of Java's heap, above 0; what needs more is spilled
 * @param folder where it spills to, a folder of its own
 */
public record EngineLimits(long memoryBytes, Path folder) {

  /** Checks the number. */
  public EngineLimits {
    if (memoryBytes <= 0) {
      throw new IllegalArgumentException(
          "DuckDB needs more than 0 bytes of memory, got " + memoryBytes);
    }
  }
}
