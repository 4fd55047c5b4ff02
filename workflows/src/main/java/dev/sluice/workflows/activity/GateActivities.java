package dev.sluice.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Decides whether a path may run for a team at all. Safe to repeat; has no effect of its own. */
@ActivityInterface
public interface GateActivities {

  /**
   * Asks the path's flag for the team, provisioning, and that no other path owns the target. Fails
   * closed: a missing team, an evaluation error or no answer is a closed gate with that reason. The
   * workflow has the reason written down through {@link JobActivities#recordTrigger}.
   */
  @ActivityMethod(name = "gate")
  GateDecision check(GateCheck input);
}
