package dev.sluice.workflows;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * Brings an earlier generation of a table back: plan, open attempt, prepare, copy to fresh keys,
 * inspect, verify, publish, close. It is an attempt of the table's source like any other, with the
 * same ledger, checks and publishing transaction, so that whatever dies in between leaves the live
 * table as it is and can be asked for again.
 *
 * <p>The newest published order stays: only a generation newer than the newest ever published
 * follows by itself. No gate is asked, since a person asked for it. Restartable from its first
 * task: every effect is keyed by the request, never by the run.
 */
@WorkflowInterface
public interface RollbackWorkflow {

  /** The workflow's type. */
  String TYPE = "ducklake-rollback.data-imports";

  /**
   * Runs the request.
   *
   * @return the outcome; completed with a reason when the generation was live already
   * @throws io.temporal.failure.ApplicationFailure typed by {@link FailureTypes}: {@code
   *     InvalidInput} when the generation is unknown or has expired, {@code LogicalConflict} when
   *     an attempt of the source is running
   */
  @WorkflowMethod(name = TYPE)
  RegisterResult run(RollbackRequest request);

  /** Tells how far the run is. */
  @QueryMethod
  RegisterProgress progress();
}
