package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes trigger records one after the other, in the order in which they were decided: two signals
 * in flight must not overtake each other in the home database. Runs beside the stages and outlives
 * their cancellation.
 */
final class TriggerJournal {
  private final Deque<TriggerRecord> unwritten = new ArrayDeque<>();
  private final Overruled overruled;

  /** Hears of a trigger that the home database, which knows more, has decided otherwise about. */
  interface Overruled {
    void overruled(RegisterTrigger trigger, TriggerDisposition stored);
  }

  TriggerJournal(Overruled overruled) {
    this.overruled = overruled;
  }

  void add(TriggerRecord entry) {
    unwritten.add(entry);
  }

  boolean isWritten() {
    return unwritten.isEmpty();
  }

  /** Begins to write; called once, from the workflow's main method. */
  void start() {
    Workflow.newDetachedCancellationScope(() -> Async.procedure(this::writeForEver)).run();
  }

  /** Waits until everything is written; a cancellation of the caller does not end the wait. */
  void awaitWrittenDetached() {
    Workflow.newDetachedCancellationScope(() -> Workflow.await(this::isWritten)).run();
  }

  private void writeForEver() {
    while (true) {
      Workflow.await(() -> !unwritten.isEmpty());
      TriggerRecord entry = unwritten.element();
      TriggerDisposition stored = stub(entry).recordTrigger(entry).disposition();
      if (stored != entry.disposition()) {
        overruled.overruled(entry.trigger(), stored);
      }
      unwritten.remove();
    }
  }

  private static JobActivities stub(TriggerRecord entry) {
    return Workflow.newActivityStub(
        JobActivities.class,
        ActivityOptions.newBuilder(RegisterOptions.JOBS)
            .setSummary(
                Texts.summary(entry.disposition().word() + " " + entry.trigger().generation()))
            .build());
  }
}
