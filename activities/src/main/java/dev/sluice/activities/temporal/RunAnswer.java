package dev.sluice.activities.temporal;

import org.jspecify.annotations.Nullable;

/** What Temporal says about a run. */
sealed interface RunAnswer {

  /**
   * It is open.
   *
   * @param runId the run
   * @param note what it is doing or waiting for, in a sentence; null when there is nothing to say
   */
  record Open(String runId, @Nullable String note) implements RunAnswer {}

  /**
   * It has ended.
   *
   * @param handedOver whether another run of the same workflow was started by it
   * @param how how it ended, as a clause about the run
   */
  record Ended(boolean handedOver, String how) implements RunAnswer {}

  /** The namespace is there and has no such run, or no longer. */
  record Unknown() implements RunAnswer {}
}
