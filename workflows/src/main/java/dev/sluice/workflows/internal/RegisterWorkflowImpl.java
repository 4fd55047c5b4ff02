package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterInput;
import dev.sluice.workflows.RegisterProgress;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;
import io.temporal.common.VersioningBehavior;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import io.temporal.workflow.WorkflowVersioningBehavior;

/** The register workflow: a {@link SourceRun} after the other. */
public final class RegisterWorkflowImpl implements RegisterWorkflow {
  private final SourceRun source;

  /** Made by Temporal, before the first signal is handled. */
  @WorkflowInit
  public RegisterWorkflowImpl(RegisterInput input) {
    source = new SourceRun(input.trigger(), input.previous());
  }

  @Override
  @WorkflowVersioningBehavior(VersioningBehavior.PINNED)
  public RegisterResult run(RegisterInput input) {
    return source.run((next, ended) -> Workflow.continueAsNew(new RegisterInput(next, ended)));
  }

  @Override
  public void submit(RegisterTrigger arrived) {
    source.submit(arrived);
  }

  @Override
  public RegisterProgress progress() {
    return source.progress();
  }
}
