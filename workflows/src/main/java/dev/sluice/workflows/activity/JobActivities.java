package dev.sluice.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * Keeps the home database's record of triggers and attempts. Every method is an upsert by its key
 * and safe to repeat; a later call for the same key wins.
 */
@ActivityInterface
public interface JobActivities {

  /**
   * Writes down what became of a trigger, keyed by path, team, source and attempt id. Every
   * disposition but {@code RUNNING} and {@code PENDING} also appends an event with the reason. The
   * pending slot of a source is its one trigger with disposition {@code PENDING}.
   */
  @ActivityMethod(name = "record-trigger")
  TriggerReceipt recordTrigger(TriggerRecord input);

  /**
   * Opens an attempt as running and numbers it. Repeated by the same run for the same attempt id it
   * answers with the number it gave before. When the very generation is live already, no attempt is
   * opened, an event says so, and the earlier publication is the answer.
   */
  @ActivityMethod(name = "open-attempt")
  OpenedAttempt openAttempt(AttemptOpening input);

  /**
   * Gives an attempt its outcome, settles its trigger and appends an event. The publication row is
   * the truth: an attempt that was published is closed as completed whatever the input says, and
   * the answer says so.
   */
  @ActivityMethod(name = "close-attempt")
  ClosedAttempt closeAttempt(AttemptClosing input);
}
