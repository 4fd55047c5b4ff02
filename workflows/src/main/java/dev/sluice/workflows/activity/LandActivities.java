package dev.sluice.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Copies a generation under the lake's data path. Safe to repeat: resumes from the ledger. */
@ActivityInterface
public interface LandActivities {

  /**
   * Copies every file of the list and notes each in the ledger. Heartbeats {@link StageProgress}
   * and stops within one object after a cancellation.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code BadSource}, {@code AttemptFenced}, {@code
   *     Misconfigured}, or retryable
   */
  @ActivityMethod(name = "land")
  LandResult land(StageInput input);
}
