package dev.sluice.worker.config;

import java.time.Duration;

/**
 * How the reaper of all workers together looks after what runs.
 *
 * @param every from the beginning of one pass to that of the next, 1 to 30 seconds
 * @param asks questions to Temporal in one pass at most
 */
public record ReaperSettings(Duration every, int asks) {
  /** Three passes a minute: an attempt whose run has ended is closed within one. */
  static final Duration DEFAULT_EVERY = Duration.ofSeconds(20);

  static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Beyond it, a minute would not do for noticing an end and closing after it. */
  static final Duration LONGEST = Duration.ofSeconds(30);

  /** At most 50 questions a second to Temporal; two thousand attempts are all asked in 40 s. */
  static final int DEFAULT_ASKS = 1000;
}
