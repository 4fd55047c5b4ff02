package dev.sluice.workflows.activity;

import org.jspecify.annotations.Nullable;

/**
 * Answer of opening an attempt; exactly one component is present.
 *
 * @param attempt the attempt that is running now; null when none was opened
 * @param live the publication of this very generation; null unless it is live already
 */
public record OpenedAttempt(@Nullable AttemptRef attempt, @Nullable LivePublication live) {

  /** Checks that exactly one component is present. */
  public OpenedAttempt {
    if ((attempt == null) == (live == null)) {
      throw new IllegalArgumentException(
          "opened attempt: exactly one of attempt and live is required, got "
              + attempt
              + " and "
              + live);
    }
  }

  /** Returns the answer that an attempt is running. */
  public static OpenedAttempt running(AttemptRef attempt) {
    return new OpenedAttempt(attempt, null);
  }

  /** Returns the answer that the generation is live already. */
  public static OpenedAttempt alreadyLive(LivePublication live) {
    return new OpenedAttempt(null, live);
  }
}
