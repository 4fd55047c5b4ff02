package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.Target;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.WorkflowPath;

/** Keys that the stages derive from their input. */
final class Attempts {

  private Attempts() {}

  static AttemptKey key(RegisterTrigger trigger, AttemptRef attempt) {
    return new AttemptKey(WorkflowPath.REGISTER, source(trigger), attempt);
  }

  static AttemptKey key(StageInput input) {
    return key(input.trigger(), input.attempt());
  }

  static SourceRef source(RegisterTrigger trigger) {
    return new SourceRef(trigger.team(), trigger.sourceSchemaId());
  }

  static LandingLedger.Key landing(LakeAccess lake, Preparation preparation) {
    return new LandingLedger.Key(lake.key(), preparation.landingId());
  }

  /** The target by the lake's key, as the lake's own tables know it. */
  static Target target(LakeAccess lake, Preparation preparation) {
    return new Target(lake.key(), preparation.schema(), preparation.table());
  }
}
