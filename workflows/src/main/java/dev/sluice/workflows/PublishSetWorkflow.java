package dev.sluice.workflows;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * Brings prepared generations of several sources into the tables of one lake and makes them visible
 * in one snapshot: each member goes through gate, open, prepare, land, inspect and verify by
 * itself, then one commit publishes all of them or none.
 *
 * <p>As a whole or not at all: a member whose gate is closed, that is stale or fails keeps the
 * others from being published, since a set is asked for because its tables belong together. A
 * member whose generation is live already is left as it is. Restartable from its first task.
 */
@WorkflowInterface
public interface PublishSetWorkflow {

  /** The workflow's type. */
  String TYPE = "ducklake-register-set.data-imports";

  /**
   * Runs the set.
   *
   * @return the outcome, with status completed, skipped or stale
   * @throws io.temporal.failure.ApplicationFailure typed by {@link FailureTypes} when a member
   *     failed; its details hold the {@link PublishSetResult}
   */
  @WorkflowMethod(name = TYPE)
  PublishSetResult run(PublishSetInput input);

  /** Tells how far the run is. */
  @QueryMethod
  PublishSetProgress progress();
}
