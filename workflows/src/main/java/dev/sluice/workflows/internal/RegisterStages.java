package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.InspectActivities;
import dev.sluice.workflows.activity.InspectResult;
import dev.sluice.workflows.activity.LandActivities;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PrepareActivities;
import dev.sluice.workflows.activity.PrepareInput;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyActivities;
import dev.sluice.workflows.internal.ImportPipeline.Verified;

/** The stages of a prepared folder. */
final class RegisterStages implements ImportPipeline.PathStages {
  private final RegisterTrigger trigger;
  private final AttemptRun run;
  private final RunView view;

  RegisterStages(RegisterTrigger trigger, AttemptRun run, RunView view) {
    this.trigger = trigger;
    this.run = run;
    this.view = view;
  }

  @Override
  public Verified verified(AttemptRef attempt) {
    view.enter(RegisterStage.PREPARE);
    PrepareResult prepared =
        AttemptRun.stub(PrepareActivities.class, StageOptions.PREPARE, StageTexts.find(trigger))
            .prepare(new PrepareInput(trigger, attempt));
    Preparation preparation = prepared.preparation();
    if (preparation == null) {
      return new Verified(null, run.stale(String.valueOf(prepared.staleReason())));
    }
    run.prepared(preparation);
    StageInput input = new StageInput(trigger, attempt, preparation);
    StageTexts texts = new StageTexts(trigger, preparation);

    view.enter(RegisterStage.LAND);
    view.landed(AttemptRun.stub(LandActivities.class, StageOptions.LAND, texts.land()).land(input));

    view.enter(RegisterStage.INSPECT);
    InspectResult inspected =
        AttemptRun.stub(InspectActivities.class, StageOptions.INSPECT, texts.inspect())
            .inspect(input);
    view.inspected(inspected);

    view.enter(RegisterStage.VERIFY);
    view.note(
        AttemptRun.stub(VerifyActivities.class, StageOptions.VERIFY, texts.verify(inspected.rows()))
                .verify(input)
                .checks()
            + " checks passed");
    return new Verified(input, null);
  }
}
