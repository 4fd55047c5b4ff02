package dev.sluice.workflows.activity;

import dev.sluice.workflows.RollbackRequest;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * What a rollback does otherwise than a registration: its files come from the lake itself. Each is
 * safe to repeat and to be late.
 */
@ActivityInterface
public interface RestoreActivities {

  /**
   * Finds the publication to bring back. Changes nothing.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidInput} when the generation was
   *     never published to the table, or its snapshots have expired; {@code LogicalConflict} when
   *     another attempt of the source is running
   */
  @ActivityMethod(name = "restorePlan")
  RestorePlan plan(RollbackRequest request);

  /** Takes the fence and writes the files down: where each lies, and the fresh key it will get. */
  @ActivityMethod(name = "restorePrepare")
  Preparation prepare(RestoreInput input);

  /** Copies every object to its fresh key; goes on where an earlier try stopped. */
  @ActivityMethod(name = "restoreCopy")
  LandResult copy(StageInput input);

  /** Inspects a generation without files: its columns are those of the table at its snapshot. */
  @ActivityMethod(name = "restoreInspectEmpty")
  InspectResult inspectEmpty(StageInput input);

  /**
   * Compares the copies with what was published then; a failed check quarantines them.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code VerificationFailed}
   */
  @ActivityMethod(name = "restoreVerify")
  VerifyResult verifyRestored(StageInput input);
}
