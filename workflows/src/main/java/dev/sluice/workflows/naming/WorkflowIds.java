package dev.sluice.workflows.naming;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;

/** Ids of workflows: business identity, never a run. */
public final class WorkflowIds {
  private WorkflowIds() {}

  /** Returns {@code <workflow type>-<team>-<source schema id>} of the register workflow. */
  public static String register(RegisterTrigger trigger) {
    return of(RegisterWorkflow.TYPE, trigger.team(), trigger.sourceSchemaId());
  }

  /** Returns {@code <workflow type>-<team>-<source schema id>}. */
  public static String of(String workflowType, long team, String sourceSchemaId) {
    return workflowType + "-" + team + "-" + sourceSchemaId;
  }
}
