package dev.sluice.workflows.internal;

import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.CopyActivities;
import dev.sluice.workflows.activity.CopyPlan;
import dev.sluice.workflows.activity.CopyPrepareInput;
import dev.sluice.workflows.activity.CopyPrepareInput.Patience;
import dev.sluice.workflows.activity.InspectActivities;
import dev.sluice.workflows.activity.InspectResult;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.internal.ImportPipeline.Verified;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The stages of a version of a Delta table. */
final class CopyStages implements ImportPipeline.PathStages {
  /** How often a log that is being rebuilt is looked for; a rebuild takes minutes. */
  static final Duration LOOK_EVERY = Duration.ofSeconds(20);

  /** How long it is looked for; the importer that rebuilds it triggers a copy of its own later. */
  static final Duration LOOK_AT_MOST = Duration.ofMinutes(10);

  /**
   * How often a version is planned anew of which files vanished; a table that is compacted more
   * often than it can be copied needs a longer retention, not more tries.
   */
  static final int NEW_PLANS = 3;

  private final RegisterTrigger trigger;
  private final AttemptRun run;
  private final RunView view;

  CopyStages(RegisterTrigger trigger, AttemptRun run, RunView view) {
    this.trigger = trigger;
    this.run = run;
    this.view = view;
  }

  @Override
  public Verified verified(AttemptRef attempt) {
    Long goneVersion = null;
    for (int plans = 0; ; plans++) {
      view.enter(RegisterStage.PREPARE);
      CopyPlan plan = plan(attempt, goneVersion);
      Preparation preparation = plan.preparation();
      if (preparation == null) {
        return new Verified(null, run.stale(String.valueOf(plan.staleReason())));
      }
      long version = Objects.requireNonNull(plan.version(), "version");
      RegisterTrigger pinned = trigger.pinned(version);
      run.pinned(pinned);
      run.prepared(preparation);
      StageInput input = new StageInput(pinned, attempt, preparation);
      try {
        bringIn(input);
        return new Verified(input, null);
      } catch (ActivityFailure failure) {
        if (plans == NEW_PLANS || !Results.typeOf(failure).equals(FailureTypes.SOURCE_FILES_GONE)) {
          throw failure;
        }
        goneVersion = version;
      }
    }
  }

  /** Waits as a timer, so that no worker is held by it. */
  private CopyPlan plan(AttemptRef attempt, @Nullable Long goneVersion) {
    long begun = Workflow.currentTimeMillis();
    while (true) {
      boolean over = Workflow.currentTimeMillis() - begun >= LOOK_AT_MOST.toMillis();
      CopyPlan plan =
          stub(StageOptions.PREPARE, StageTexts.find(trigger))
              .prepareCopy(
                  new CopyPrepareInput(
                      trigger, attempt, over ? Patience.EXHAUSTED : Patience.WAIT, goneVersion));
      if (plan.waitReason() == null) {
        return plan;
      }
      view.note("waiting: " + plan.waitReason());
      Workflow.newTimer(LOOK_EVERY, StageTexts.wait("look again: " + plan.waitReason())).get();
    }
  }

  private void bringIn(StageInput input) {
    Preparation preparation = input.preparation();
    StageTexts texts = new StageTexts(input.trigger(), preparation);

    view.enter(RegisterStage.LAND);
    view.landed(stub(StageOptions.LAND, texts.land()).landCopy(input));

    view.enter(RegisterStage.INSPECT);
    InspectResult inspected =
        AttemptRun.stub(InspectActivities.class, StageOptions.INSPECT, texts.inspect())
            .inspect(input);
    view.inspected(inspected);

    view.enter(RegisterStage.VERIFY);
    view.note(
        stub(StageOptions.VERIFY, texts.verify(inspected.rows())).verifyCopy(input).checks()
            + " checks passed");
  }

  private static CopyActivities stub(ActivityOptions options, String summary) {
    return AttemptRun.stub(CopyActivities.class, options, summary);
  }
}
