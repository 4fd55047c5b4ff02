package dev.sluice.workflows.internal;

import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterProgress;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run of the one workflow of a source and path: its own trigger through the {@link
 * ImportPipeline}, then the one in the slot as a new run. Restartable from its first task.
 */
final class SourceRun {
  private final @Nullable RegisterResult previous;
  private final RegisterTrigger trigger;
  private final TriggerSlot slot;
  private final TriggerJournal journal = new TriggerJournal();
  private final RunView view;
  private boolean taken;
  private @Nullable String refused;

  /** Goes on as a new run with what waited; does not return. */
  interface NextRun {
    void start(RegisterTrigger next, RegisterResult ended);
  }

  /** To be made before the first signal is handled. */
  SourceRun(RegisterTrigger trigger, @Nullable RegisterResult previous) {
    this.trigger = trigger;
    this.previous = previous;
    slot = new TriggerSlot(trigger, previous);
    view = new RunView(trigger);
    journal.add(this::take);
  }

  RegisterResult run(NextRun nextRun) {
    begin();
    return end(nextRun).resultOrThrow();
  }

  /** Begins to write triggers down, the run's own first. */
  void begin() {
    journal.start();
  }

  /**
   * Takes the trigger to its end, once {@link #begin} was called.
   *
   * @return how it ended, when the next run did not start from within
   */
  Outcome end(NextRun nextRun) {
    view.start(previous);
    Outcome outcome = bringIn();
    view.done(outcome.result());
    slot.ended(outcome.result());
    // From here to the return nothing waits, so no trigger can come between unseen.
    journal.awaitWrittenDetached();
    RegisterTrigger next = slot.pending();
    if (next != null) {
      nextRun.start(next, outcome.result());
    }
    return outcome;
  }

  RegisterTrigger trigger() {
    return trigger;
  }

  void submit(RegisterTrigger arrived) {
    journal.add(() -> queue(arrived));
  }

  RegisterProgress progress() {
    return view.progress(slot.pending());
  }

  private Outcome bringIn() {
    ImportPipeline pipeline = new ImportPipeline(trigger, view);
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
        trigger.path(),
        about,
        disposition,
        reason,
        info.getWorkflowId(),
        info.getRunId(),
        info.getNamespace(),
        Instant.ofEpochMilli(info.getRunStartedTimestampMillis()));
  }
}
