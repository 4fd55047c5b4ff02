package dev.sluice.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Reads the footers of landed files into the ledger. Safe to repeat. */
@ActivityInterface
public interface InspectActivities {

  /**
   * Reads record counts, column statistics and partition values; the columns follow from the files,
   * or are those that the generation was planned with. Heartbeats {@link StageProgress}.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code BadSource}, {@code SchemaMismatch},
   *     {@code AttemptFenced}, or retryable
   */
  @ActivityMethod(name = "inspect")
  InspectResult inspect(StageInput input);
}
