package dev.sluice.workflows;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * Brings versions of one source's Delta table into its lake table, one at a time, on the pipeline
 * of {@link RegisterWorkflow}: gate, open attempt, prepare, land, inspect, verify, publish, close.
 *
 * <p>One id per source ({@link dev.sluice.workflows.naming.WorkflowIds}), so at most one run per
 * source exists; a trigger that arrives meanwhile is sent with {@link #submit}. Restartable from
 * its first task: every effect is keyed by the attempt, never by the run.
 */
@WorkflowInterface
public interface CopyWorkflow {

  /** The workflow's type. */
  String TYPE = "ducklake-copy.data-imports";

  /**
   * Runs the input's trigger and then, as a new run, whatever waits in the slot. An input without
   * triggers ends at once, before the gate.
   *
   * @return the outcome, with status completed, skipped or stale
   * @throws io.temporal.failure.ApplicationFailure typed by {@link FailureTypes}, when the attempt
   *     failed and nothing waits in the slot; its details hold the {@link RegisterResult}
   */
  @WorkflowMethod(name = TYPE)
  RegisterResult run(CopyInput input);

  /** Hands a further trigger to the run, as {@link RegisterWorkflow#submit} does. */
  @SignalMethod
  void submit(RegisterTrigger trigger);

  /** Tells how far the run is. */
  @QueryMethod
  RegisterProgress progress();
}
