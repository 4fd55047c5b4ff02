package dev.sluice.worker.bench;

import java.time.Duration;

/**
 * What the commit benchmark shall measure.
 *
 * @param writers writers at a time, each a thread of ours or a DuckDB of its own
 * @param duration how long each measurement lasts
 */
public record CommitPlan(int writers, Duration duration) {

  /** Checks the numbers. */
  public CommitPlan {
    if (writers < 1 || duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "at least 1 writer and 1 second: got %d writers and %s".formatted(writers, duration));
    }
  }
}
