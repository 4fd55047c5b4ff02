package dev.sluice.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * What a copy does otherwise than a registration: its files are those of one version of a Delta
 * table. Each is safe to repeat and to be late.
 */
@ActivityInterface
public interface CopyActivities {

  /**
   * Does what {@link PrepareActivities#prepare} does, and pins the version: which files it has,
   * with their partition values and deletion vectors, goes into the ledger.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidInput}, {@code BadSource}, {@code
   *     NameTaken}, {@code UnsupportedLake}, {@code Misconfigured}, or retryable
   */
  @ActivityMethod(name = "copyPrepare")
  CopyPlan prepareCopy(CopyPrepareInput input);

  /**
   * Copies every data file of the plan, unchanged, except those that cannot be read right that way,
   * which are rewritten; deletion vectors become delete files. Goes on where an earlier try
   * stopped.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code SourceFilesGone} when a file of the
   *     version is not there any more, {@code BadSource}, {@code AttemptFenced}, {@code
   *     Misconfigured}, or retryable
   */
  @ActivityMethod(name = "copyLand")
  LandResult landCopy(StageInput input);

  /**
   * Compares what has landed with the version's log and with its files; a failed check quarantines
   * what has landed.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code VerificationFailed}, {@code
   *     SourceFilesGone}, or retryable
   */
  @ActivityMethod(name = "copyVerify")
  VerifyResult verifyCopy(StageInput input);
}
