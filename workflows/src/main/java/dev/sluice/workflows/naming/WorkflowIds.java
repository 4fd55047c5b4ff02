package dev.sluice.workflows.naming;

import dev.sluice.workflows.CopyWorkflow;
import dev.sluice.workflows.ModelCopyWorkflow;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;
import dev.sluice.workflows.activity.WorkflowPath;

/** Ids of workflows: business identity, never a run. */
public final class WorkflowIds {
  private WorkflowIds() {}

  /** Returns the id of the one workflow that brings in what the trigger's path and source bring. */
  public static String of(RegisterTrigger trigger) {
    return of(type(trigger.path()), trigger.team(), trigger.sourceSchemaId());
  }

  /** Returns the type of the workflow of a path. */
  public static String type(WorkflowPath path) {
    return switch (path) {
      case REGISTER -> RegisterWorkflow.TYPE;
      case COPY -> CopyWorkflow.TYPE;
      case MODEL -> ModelCopyWorkflow.TYPE;
    };
  }

  /** Returns {@code <workflow type>-<team>-<source schema id>}. */
  public static String of(String workflowType, long team, String sourceSchemaId) {
    return workflowType + "-" + team + "-" + sourceSchemaId;
  }
}
