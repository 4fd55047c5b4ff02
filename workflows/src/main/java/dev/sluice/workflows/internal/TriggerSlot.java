package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.TriggerDisposition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of triggers that arrive while one runs, and keeps the one that runs next.
 * Deterministic and without effects: every decision is returned, to be written down.
 */
final class TriggerSlot {
  private final RegisterTrigger running;
  private final @Nullable RegisterResult previous;
  private @Nullable RegisterTrigger pending;
  private @Nullable RegisterResult ended;

  /** A decision about one trigger; the reason is null for a trigger that waits. */
  record Decision(
      RegisterTrigger trigger, TriggerDisposition disposition, @Nullable String reason) {}

  TriggerSlot(RegisterTrigger running, @Nullable RegisterResult previous) {
    this.running = running;
    this.previous = previous;
  }

  @Nullable RegisterTrigger pending() {
    return pending;
  }

  /** Notes the outcome of the running trigger; one that failed may be asked for again. */
  void ended(RegisterResult result) {
    ended = result;
  }

  /** Lets go of a waiting trigger that the home database would not let wait. */
  void drop(RegisterTrigger trigger) {
    if (trigger.equals(pending)) {
      pending = null;
    }
  }

  /** Takes a trigger in; the decisions are in the order in which they must be written. */
  List<Decision> accept(RegisterTrigger trigger) {
    RegisterTrigger waiting = pending;
    if (!trigger.order().comparableWith(running.order())) {
      return one(
          trigger,
          TriggerDisposition.REFUSED,
          "order " + trigger.order() + " cannot be compared with " + running.order());
    }
    String duplicate = duplicateReason(trigger, waiting);
    if (duplicate != null) {
      return one(trigger, TriggerDisposition.DUPLICATE, duplicate);
    }
    if (waiting == null) {
      pending = trigger;
      return one(trigger, TriggerDisposition.PENDING, null);
    }
    if (waiting.order().isNewerThan(trigger.order())) {
      return one(trigger, TriggerDisposition.SUPERSEDED, supersededBy(waiting));
    }
    pending = trigger;
    return List.of(
        new Decision(waiting, TriggerDisposition.SUPERSEDED, supersededBy(trigger)),
        new Decision(trigger, TriggerDisposition.PENDING, null));
  }

  private @Nullable String duplicateReason(
      RegisterTrigger trigger, @Nullable RegisterTrigger waiting) {
    if (sameGeneration(trigger, running) && !failed(ended)) {
      return ended == null
          ? "generation " + trigger.generation() + " is being registered"
          : "generation " + trigger.generation() + " has just ended as " + ended.status().word();
    }
    if (waiting != null && sameGeneration(trigger, waiting)) {
      return "generation " + trigger.generation() + " is waiting already";
    }
    if (previous != null
        && previous.status() == RegisterStatus.COMPLETED
        && previous.generation().equals(trigger.generation().value())) {
      return "generation " + trigger.generation() + " has just been published";
    }
    return null;
  }

  private static boolean sameGeneration(RegisterTrigger one, RegisterTrigger other) {
    return one.generation().equals(other.generation());
  }

  private static boolean failed(@Nullable RegisterResult result) {
    return result != null && result.status() == RegisterStatus.FAILED;
  }

  private static String supersededBy(RegisterTrigger newer) {
    return "superseded by generation " + newer.generation() + " of job " + newer.jobId();
  }

  private static List<Decision> one(
      RegisterTrigger trigger, TriggerDisposition disposition, @Nullable String reason) {
    return List.of(new Decision(trigger, disposition, reason));
  }
}
