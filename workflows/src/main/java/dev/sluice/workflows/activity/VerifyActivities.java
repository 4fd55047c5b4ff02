package dev.sluice.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Compares what was landed with the source, before anything is published. Safe to repeat. */
@ActivityInterface
public interface VerifyActivities {

  /**
   * Runs the table's checks and stores every result with the attempt. Heartbeats {@link
   * StageProgress}.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code VerificationFailed}, after the landed
   *     files were quarantined, when a check failed; {@code AttemptFenced}; or retryable
   */
  @ActivityMethod(name = "verify")
  VerifyResult verify(StageInput input);
}
