package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.TriggerDisposition;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of triggers that arrive while one runs, and keeps the one that runs next.
 * Deterministic and without effects: every decision is returned, to be written down, and a trigger
 * waits only once the home database has agreed.
 */
final class TriggerSlot {
  private final RegisterTrigger running;
  private final @Nullable RegisterResult previous;
  private @Nullable RegisterTrigger pending;
  private @Nullable RegisterResult ended;
  private boolean runningRefused;

  /** A decision about one trigger; the reason is null for a trigger that is to wait. */
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

  /** Notes that the running trigger was refused: nothing is compared with it any more. */
  void refused() {
    runningRefused = true;
  }

  /** Decides about an arrival; {@code PENDING} is a wish until {@link #waits} grants it. */
  Decision accept(RegisterTrigger trigger) {
    String refusal = refusal(trigger);
    if (refusal != null) {
      return new Decision(trigger, TriggerDisposition.REFUSED, refusal);
    }
    RegisterTrigger waiting = pending;
    String duplicate = duplicateReason(trigger, waiting);
    if (duplicate != null) {
      return new Decision(trigger, TriggerDisposition.DUPLICATE, duplicate);
    }
    return waiting != null && isNewer(waiting, trigger)
        ? new Decision(trigger, TriggerDisposition.SUPERSEDED, supersededBy(waiting))
        : new Decision(trigger, TriggerDisposition.PENDING, null);
  }

  /**
   * Lets a trigger wait that the home database has agreed to.
   *
   * @return what becomes of the one that waited before; null when none did
   */
  @Nullable Decision waits(RegisterTrigger trigger) {
    RegisterTrigger displaced = pending;
    pending = trigger;
    return displaced == null || sameGeneration(displaced, trigger)
        ? null
        : new Decision(displaced, TriggerDisposition.SUPERSEDED, supersededBy(trigger));
  }

  private @Nullable String refusal(RegisterTrigger trigger) {
    if (trigger.team() != running.team()
        || !trigger.sourceSchemaId().equals(running.sourceSchemaId())) {
      return "trigger of generation "
          + trigger.generation()
          + ": refused; it is of another source than the workflow it was sent to; send it to the"
          + " workflow of its own source";
    }
    return runningRefused || trigger.order().comparableWith(running.order())
        ? null
        : "order " + trigger.order() + " cannot be compared with " + running.order();
  }

  private @Nullable String duplicateReason(
      RegisterTrigger trigger, @Nullable RegisterTrigger waiting) {
    if (sameGeneration(trigger, running) && !failed(ended)) {
      return ended == null
          ? "generation " + trigger.generation() + " is being brought in"
          : "generation " + trigger.generation() + " has just ended as " + ended.status().word();
    }
    if (waiting != null && sameGeneration(trigger, waiting)) {
      return "generation " + trigger.generation() + " is waiting already";
    }
    // An order that is newer than what runs is not what was published before it.
    if (previous != null
        && previous.status() == RegisterStatus.COMPLETED
        && previous.attemptId().equals(trigger.attemptId())
        && !isNewer(trigger, running)) {
      return "generation " + trigger.generation() + " has just been published";
    }
    return null;
  }

  /**
   * The same job, the same folder, and nothing newer in it: a folder of a fixed name holds another
   * generation each time, which its job or its order tells.
   */
  private static boolean sameGeneration(RegisterTrigger arrived, RegisterTrigger known) {
    return arrived.attemptId().equals(known.attemptId()) && !isNewer(arrived, known);
  }

  private static boolean isNewer(RegisterTrigger one, RegisterTrigger other) {
    return one.order().comparableWith(other.order()) && one.order().isNewerThan(other.order());
  }

  private static boolean failed(@Nullable RegisterResult result) {
    return result != null && result.status() == RegisterStatus.FAILED;
  }

  private static String supersededBy(RegisterTrigger newer) {
    return "superseded by generation " + newer.generation() + " of job " + newer.jobId();
  }
}
