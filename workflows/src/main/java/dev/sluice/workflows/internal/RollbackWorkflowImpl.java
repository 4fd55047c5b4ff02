package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterProgress;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RollbackRequest;
import dev.sluice.workflows.RollbackWorkflow;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.InspectActivities;
import dev.sluice.workflows.activity.InspectResult;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishResult;
import dev.sluice.workflows.activity.RestoreActivities;
import dev.sluice.workflows.activity.RestoreInput;
import dev.sluice.workflows.activity.RestorePlan;
import dev.sluice.workflows.activity.StageInput;
import io.temporal.common.VersioningBehavior;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.WorkflowVersioningBehavior;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rollback workflow. */
public final class RollbackWorkflowImpl implements RollbackWorkflow {
  private @Nullable RunView view;

  @Override
  @WorkflowVersioningBehavior(VersioningBehavior.PINNED)
  public RegisterResult run(RollbackRequest request) {
    try {
      return brought(request);
    } catch (ActivityFailure failure) {
      throw AttemptRun.refusal(failure);
    }
  }

  private RegisterResult brought(RollbackRequest request) {
    RestorePlan plan =
        AttemptRun.stub(
                RestoreActivities.class,
                StageOptions.PREPARE,
                "look for generation %s of %s.%s"
                    .formatted(request.generation(), request.schema(), request.table()))
            .plan(request);
    RegisterTrigger trigger = plan.trigger();
    RunView shown = new RunView(trigger);
    view = shown;
    shown.start(null);
    LivePublication live = plan.live();
    if (live != null) {
      RegisterResult result =
          Results.completed(
              trigger,
              live,
              "generation "
                  + request.generation()
                  + " was published already, as snapshot "
                  + live.snapshotId()
                  + "; nothing was changed");
      shown.done(result);
      return result;
    }
    AttemptRun run = new AttemptRun(trigger, shown);
    OpenedAttempt opened = run.open();
    Outcome outcome =
        run.run(
            Objects.requireNonNull(opened.attempt(), "attempt"),
            attempt -> stages(request, plan, run, shown, attempt));
    shown.done(outcome.result());
    return outcome.resultOrThrow();
  }

  private static RegisterResult stages(
      RollbackRequest request, RestorePlan plan, AttemptRun run, RunView view, AttemptRef attempt) {
    view.enter(RegisterStage.PREPARE);
    Preparation preparation =
        AttemptRun.stub(
                RestoreActivities.class,
                StageOptions.PREPARE,
                "list the files of %s.%s at snapshot %d"
                    .formatted(request.schema(), request.table(), plan.snapshot()))
            .prepare(new RestoreInput(request, plan.trigger(), attempt, plan.snapshot()));
    run.prepared(preparation);
    StageInput input = new StageInput(plan.trigger(), attempt, preparation);
    StageTexts texts = new StageTexts(plan.trigger(), preparation);

    view.enter(RegisterStage.LAND);
    view.landed(
        AttemptRun.stub(
                RestoreActivities.class, StageOptions.LAND, texts.land() + ", to fresh keys")
            .copy(input));

    view.enter(RegisterStage.INSPECT);
    InspectResult inspected =
        preparation.files() == 0
            ? AttemptRun.stub(
                    RestoreActivities.class,
                    StageOptions.INSPECT,
                    "take the columns of snapshot %d for %s"
                        .formatted(plan.snapshot(), Texts.target(preparation)))
                .inspectEmpty(input)
            : AttemptRun.stub(InspectActivities.class, StageOptions.INSPECT, texts.inspect())
                .inspect(input);
    view.inspected(inspected);

    view.enter(RegisterStage.VERIFY);
    view.note(
        AttemptRun.stub(
                    RestoreActivities.class,
                    StageOptions.VERIFY,
                    "verify %d rows of %s against what snapshot %d published"
                        .formatted(inspected.rows(), Texts.target(preparation), plan.snapshot()))
                .verifyRestored(input)
                .checks()
            + " checks passed");

    view.enter(RegisterStage.PUBLISH);
    PublishResult published =
        AttemptRun.stub(PublishActivities.class, StageOptions.PUBLISH, texts.publish())
            .publish(input);
    LivePublication publication = published.publication();
    return publication == null
        ? run.stale(String.valueOf(published.staleReason()))
        : run.published(publication);
  }

  @Override
  public RegisterProgress progress() {
    return view == null
        ? new RegisterProgress(
            RegisterStage.TRIGGER, "", null, null, null, 0, null, 0, null, null, null, null)
        : view.progress(null);
  }
}
