package dev.sluice.workflows.upstream;

import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * A sample upstream: materializes queries and hands each, as soon as its table is there, to Sluice.
 * It shows what an upstream team writes, and needs this module only.
 */
@WorkflowInterface
public interface DataModelingRun {

  /** The workflow's type. */
  String TYPE = "data-modeling-run";

  /**
   * Materializes every query, and starts or signals the copy of each. A copy that cannot be started
   * is in the result and does not make the run fail: the table was made, and the next run copies
   * it.
   */
  @WorkflowMethod(name = TYPE)
  DataModelingResult run(DataModelingInput input);
}
