package dev.sluice.workflows.internal;

import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterInput;
import dev.sluice.workflows.RegisterProgress;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import io.temporal.common.VersioningBehavior;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import io.temporal.workflow.WorkflowInit;
import io.temporal.workflow.WorkflowVersioningBehavior;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The register workflow: one trigger through {@link RegisterPipeline}, then the one in the slot as
 * a new run. Restartable from its first task.
 */
public final class RegisterWorkflowImpl implements RegisterWorkflow {
  private final @Nullable RegisterResult previous;
  private final RegisterTrigger trigger;
  private final TriggerSlot slot;
  private final TriggerJournal journal = new TriggerJournal(this::overruled);
  private final RunView view;
  private boolean refused;

  /** Made by Temporal, before the first signal is handled. */
  @WorkflowInit
  public RegisterWorkflowImpl(RegisterInput input) {
    trigger = input.trigger();
    previous = input.previous();
    slot = new TriggerSlot(trigger, previous);
    view = new RunView(trigger);
  }

  @Override
  @WorkflowVersioningBehavior(VersioningBehavior.PINNED)
  public RegisterResult run(RegisterInput input) {
    record(trigger, TriggerDisposition.RUNNING, null);
    journal.start();
    view.start(previous);
    Outcome outcome = bringIn();
    view.done(outcome.result());
    slot.ended(outcome.result());
    // From here to the return nothing waits, so no trigger can come between unseen.
    journal.awaitWrittenDetached();
    RegisterTrigger next = slot.pending();
    if (next != null) {
      Workflow.continueAsNew(new RegisterInput(next, outcome.result()));
    }
    return outcome.resultOrThrow();
  }

  @Override
  public void submit(RegisterTrigger arrived) {
    slot.accept(arrived).forEach(d -> record(d.trigger(), d.disposition(), d.reason()));
  }

  @Override
  public RegisterProgress progress() {
    return view.progress(slot.pending());
  }

  private Outcome bringIn() {
    RegisterPipeline pipeline = new RegisterPipeline(trigger, view);
    OpenedAttempt opened;
    try {
      // Written down before anything else: a run that dies here leaves a trigger to be found.
      Workflow.await(journal::isWritten);
      if (refused) {
        return refusal();
      }
      String closed = pipeline.askGate();
      if (closed != null) {
        return Outcome.of(notRun(RegisterStatus.SKIPPED, closed));
      }
      opened = pipeline.open();
    } catch (CanceledFailure cancelled) {
      return new Outcome(
          notRun(RegisterStatus.FAILED, "cancelled before an attempt was opened"), cancelled);
    } catch (ActivityFailure failure) {
      RegisterResult result = notRun(RegisterStatus.FAILED, Texts.reason(failure));
      return new Outcome(result, Results.failure(result, failure));
    }
    LivePublication live = opened.live();
    if (live != null) {
      return Outcome.of(
          Results.completed(trigger, live, "already published as snapshot " + live.snapshotId()));
    }
    return pipeline.bringIn(Objects.requireNonNull(opened.attempt(), "attempt"));
  }

  private void overruled(RegisterTrigger about, TriggerDisposition stored) {
    if (about.equals(trigger)) {
      refused = refused || stored == TriggerDisposition.REFUSED;
    } else {
      slot.drop(about);
    }
  }

  private Outcome refusal() {
    RegisterResult result =
        Results.unpublished(
            trigger,
            null,
            RegisterStatus.FAILED,
            "trigger of job "
                + trigger.jobId()
                + ": refused; its producer order "
                + trigger.order()
                + " is of another kind than the source's earlier ones; a source keeps to one kind");
    return new Outcome(result, Results.failure(result, FailureTypes.INVALID_INPUT, null));
  }

  private RegisterResult notRun(RegisterStatus status, String reason) {
    record(trigger, TriggerDisposition.SKIPPED, reason);
    return Results.unpublished(trigger, null, status, reason);
  }

  private void record(
      RegisterTrigger about, TriggerDisposition disposition, @Nullable String reason) {
    WorkflowInfo info = Workflow.getInfo();
    journal.add(
        new TriggerRecord(
            WorkflowPath.REGISTER,
            about,
            disposition,
            reason,
            info.getWorkflowId(),
            info.getRunId()));
  }
}
