package dev.sluice.workflows;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * Brings versions of models' Delta tables into their lake tables, one model after another, each on
 * the pipeline of {@link CopyWorkflow} with a gate, an attempt and an outcome of its own: one that
 * fails does not keep the others from being published.
 *
 * <p>Started when a materialization has finished, with the id of its model ({@link
 * dev.sluice.workflows.naming.WorkflowIds}); a trigger that arrives meanwhile is sent with {@link
 * #submit}. Restartable from its first task: every effect is keyed by the attempt, never by the
 * run.
 */
@WorkflowInterface
public interface ModelCopyWorkflow {

  /** The workflow's type. */
  String TYPE = "ducklake-copy.data-modeling";

  /**
   * Takes every model of the input and then, as a new run, whatever waits. An input without models
   * ends at once, before the gate.
   *
   * @return what became of each
   * @throws io.temporal.failure.ApplicationFailure of type {@link FailureTypes#MODELS_FAILED} when
   *     one failed and nothing waits; its details hold the {@link ModelCopyResult} with both lists
   */
  @WorkflowMethod(name = TYPE)
  ModelCopyResult run(ModelCopyInput input);

  /**
   * Hands a further trigger to the run. Of a model that is under way or has yet to come it waits in
   * that model's slot, as in {@link RegisterWorkflow#submit}; any other is taken after the rest.
   */
  @SignalMethod
  void submit(RegisterTrigger trigger);

  /** Tells how far the model at hand is. */
  @QueryMethod
  RegisterProgress progress();
}
