package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.Target;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.StageInput;
import java.util.function.Consumer;
import org.jooq.DSLContext;

/** Keys that the stages derive from their input. */
final class Attempts {

  private Attempts() {}

  static AttemptKey key(RegisterTrigger trigger, AttemptRef attempt) {
    return new AttemptKey(trigger.path(), source(trigger), attempt);
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

  /**
   * Changes the landing in one transaction, if the attempt holds the fence; the attempts of a
   * generation share its landing.
   *
   * @throws dev.sluice.activities.jobs.StateException when the attempt was overtaken or revoked
   */
  static void changeLanding(LakeAccess lake, StageInput input, Consumer<DSLContext> change) {
    lake.state()
        .write(
            dsl -> {
              Fences.requireHeld(dsl, target(lake, input.preparation()), input.attempt());
              change.accept(dsl);
              return input;
            });
  }

  /** The target by the lake's key, as the lake's own tables know it. */
  static Target target(LakeAccess lake, Preparation preparation) {
    return new Target(lake.key(), preparation.schema(), preparation.table());
  }
}
