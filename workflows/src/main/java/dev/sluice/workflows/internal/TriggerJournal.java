package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Takes what arrives one after the other: each trigger is decided about and written down, and the
 * home database's answer applied, before the next one is looked at. Two signals in flight can
 * neither overtake each other nor be judged by what was not accepted in the end. Runs beside the
 * stages and outlives their cancellation.
 */
final class TriggerJournal {
  private final Deque<Runnable> undone = new ArrayDeque<>();

  /** Adds a step that writes one trigger down, with {@link #write}. */
  void add(Runnable step) {
    undone.add(step);
  }

  boolean isWritten() {
    return undone.isEmpty();
  }

  /** Begins to write; called once, from the workflow's main method. */
  void start() {
    Workflow.newDetachedCancellationScope(() -> Async.procedure(this::writeForEver)).run();
  }

  /** Waits until everything is written; a cancellation of the caller does not end the wait. */
  void awaitWrittenDetached() {
    Workflow.newDetachedCancellationScope(() -> Workflow.await(this::isWritten)).run();
  }

  /** Writes one record down; called from a step. */
  static TriggerReceipt write(TriggerRecord entry) {
    return Workflow.newActivityStub(
            JobActivities.class,
            ActivityOptions.newBuilder(StageOptions.JOBS)
                .setSummary(summary(entry.trigger(), entry.disposition()))
                .build())
        .recordTrigger(entry);
  }

  /** What the writing of a record is called in the Temporal UI. */
  static String summary(RegisterTrigger trigger, TriggerDisposition disposition) {
    return Texts.summary(
        "note %s: generation %s of %s"
            .formatted(disposition.word(), trigger.generation(), Texts.source(trigger)));
  }

  private void writeForEver() {
    while (true) {
      Workflow.await(() -> !undone.isEmpty());
      undone.element().run();
      undone.remove();
    }
  }
}
