package dev.sluice.workflows.internal;

import dev.sluice.workflows.CopyInput;
import dev.sluice.workflows.CopyWorkflow;
import dev.sluice.workflows.RegisterProgress;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.upstream.ChildStarter;
import io.temporal.common.VersioningBehavior;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import io.temporal.workflow.WorkflowVersioningBehavior;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The copy workflow: a {@link SourceRun} after the other for the first source it was given. What is
 * of other sources goes to their own workflows, so that there is one run per source.
 */
public final class CopyWorkflowImpl implements CopyWorkflow {
  private final @Nullable SourceRun source;
  private final Deque<RegisterTrigger> others = new ArrayDeque<>();

  /** Made by Temporal, before the first signal is handled. */
  @WorkflowInit
  public CopyWorkflowImpl(CopyInput input) {
    others.addAll(input.triggers());
    RegisterTrigger own = others.poll();
    source = own == null ? null : new SourceRun(own, input.previous());
  }

  @Override
  @WorkflowVersioningBehavior(VersioningBehavior.PINNED)
  public RegisterResult run(CopyInput input) {
    handOn();
    return source == null
        ? nothingToDo()
        : source.run((next, ended) -> Workflow.continueAsNew(CopyInput.following(next, ended)));
  }

  private void handOn() {
    ChildStarter starter = ChildStarter.onTaskQueue(Workflow.getInfo().getTaskQueue());
    while (!others.isEmpty()) {
      starter.send(others.remove());
    }
  }

  private static RegisterResult nothingToDo() {
    return new RegisterResult(
        RegisterStatus.SKIPPED,
        "no source was named; nothing was done",
        null,
        "",
        "",
        null,
        null,
        null,
        null,
        null,
        null);
  }

  @Override
  public void submit(RegisterTrigger arrived) {
    if (source == null) {
      others.add(arrived);
    } else {
      source.submit(arrived);
    }
  }

  @Override
  public RegisterProgress progress() {
    return source == null
        ? new RegisterProgress(
            RegisterStage.TRIGGER, "", null, null, null, 0, null, 0, null, null, null, null)
        : source.progress();
  }
}
