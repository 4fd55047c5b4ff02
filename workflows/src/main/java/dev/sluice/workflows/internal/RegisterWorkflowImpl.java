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
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import io.temporal.common.VersioningBehavior;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import io.temporal.workflow.WorkflowInit;
import io.temporal.workflow.WorkflowVersioningBehavior;
import java.time.Instant;
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
  private final TriggerJournal journal = new TriggerJournal();
  private final RunView view;
  private boolean taken;
  private @Nullable String refused;

  /** Made by Temporal, before the first signal is handled. */
  @WorkflowInit
  public RegisterWorkflowImpl(RegisterInput input) {
    trigger = input.trigger();
    previous = input.previous();
    slot = new TriggerSlot(trigger, previous);
    view = new RunView(trigger);
    journal.add(this::take);
  }

  @Override
  @WorkflowVersioningBehavior(VersioningBehavior.PINNED)
  public RegisterResult run(RegisterInput input) {
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
    journal.add(() -> queue(arrived));
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
      Workflow.await(() -> taken);
      String refusal = refused;
      if (refusal != null) {
        return refusal(refusal);
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
      RegisterResult result =
          notRun(RegisterStatus.FAILED, Texts.reason(failure))
              .withFailureType(Results.typeOf(failure));
      return new Outcome(result, Results.failure(result, failure));
    }
    LivePublication live = opened.live();
    if (live != null) {
      return Outcome.of(
          Results.completed(trigger, live, "already published as snapshot " + live.snapshotId()));
    }
    return pipeline.bringIn(Objects.requireNonNull(opened.attempt(), "attempt"));
  }

  /** Written down before anything else. */
  private void take() {
    TriggerReceipt receipt = TriggerJournal.write(entry(trigger, TriggerDisposition.RUNNING, null));
    if (receipt.disposition() == TriggerDisposition.REFUSED) {
      refused = String.valueOf(receipt.reason());
      slot.refused();
    }
    taken = true;
  }

  private void queue(RegisterTrigger arrived) {
    TriggerDisposition stored = write(slot.accept(arrived));
    if (stored == TriggerDisposition.PENDING) {
      TriggerSlot.Decision displaced = slot.waits(arrived);
      if (displaced != null) {
        write(displaced);
      }
    }
  }

  private TriggerDisposition write(TriggerSlot.Decision decision) {
    return TriggerJournal.write(
            entry(decision.trigger(), decision.disposition(), decision.reason()))
        .disposition();
  }

  private Outcome refusal(String reason) {
    RegisterResult result =
        Results.unpublished(trigger, null, RegisterStatus.FAILED, Texts.cut(reason))
            .withFailureType(FailureTypes.INVALID_INPUT);
    return new Outcome(result, Results.failure(result, FailureTypes.INVALID_INPUT, null));
  }

  private RegisterResult notRun(RegisterStatus status, String reason) {
    journal.add(() -> TriggerJournal.write(entry(trigger, TriggerDisposition.SKIPPED, reason)));
    return Results.unpublished(trigger, null, status, reason);
  }

  private TriggerRecord entry(
      RegisterTrigger about, TriggerDisposition disposition, @Nullable String reason) {
    WorkflowInfo info = Workflow.getInfo();
    return new TriggerRecord(
        WorkflowPath.REGISTER,
        about,
        disposition,
        reason,
        info.getWorkflowId(),
        info.getRunId(),
        info.getNamespace(),
        Instant.ofEpochMilli(info.getRunStartedTimestampMillis()));
  }
}
