package dev.sluice.workflows.activity;

import java.util.Objects;

/**
 * Names one try to bring a generation in; what every effect is keyed by.
 *
 * @param attemptId {@code <job id>:<generation token>}
 * @param number counts the tries of that attempt id, from 1
 */
public record AttemptRef(String attemptId, int number) {

  /** Checks presence and range. */
  public AttemptRef {
    Objects.requireNonNull(attemptId, "attemptId");
    if (number < 1) {
      throw new IllegalArgumentException("attempt " + attemptId + ": number " + number + " < 1");
    }
  }

  /** Returns {@code <attempt id>#<number>}, fit for keys and logs. */
  public String key() {
    return attemptId + "#" + number;
  }
}
