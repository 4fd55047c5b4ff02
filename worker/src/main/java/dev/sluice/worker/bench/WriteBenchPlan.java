package dev.sluice.worker.bench;

/**
 * What the write benchmark shall measure.
 *
 * @param rows rows of each insert
 * @param rounds how often each side inserts them; the median counts
 */
public record WriteBenchPlan(long rows, int rounds) {

  /** Checks the numbers. */
  public WriteBenchPlan {
    if (rows < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          "at least 1 row and 1 round: got %d rows and %d rounds".formatted(rows, rounds));
    }
  }
}
