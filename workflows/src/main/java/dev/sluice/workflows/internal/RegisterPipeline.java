package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.GateActivities;
import dev.sluice.workflows.activity.GateCheck;
import dev.sluice.workflows.activity.InspectActivities;
import dev.sluice.workflows.activity.LandActivities;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PrepareActivities;
import dev.sluice.workflows.activity.PrepareInput;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishResult;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyActivities;
import dev.sluice.workflows.activity.WorkflowPath;
import io.temporal.failure.ActivityFailure;
import org.jspecify.annotations.Nullable;

/** Takes one trigger through the gate and, as an attempt, through the stages. */
final class RegisterPipeline {
  private static final WorkflowPath PATH = WorkflowPath.REGISTER;

  private final RegisterTrigger trigger;
  private final RunView view;
  private final AttemptRun run;

  RegisterPipeline(RegisterTrigger trigger, RunView view) {
    this.trigger = trigger;
    this.view = view;
    this.run = new AttemptRun(trigger, view);
  }

  /**
   * Asks the gate; a gate that cannot answer is closed.
   *
   * @return why nothing may run; null when the gate is open
   */
  @Nullable String askGate() {
    view.enter(RegisterStage.GATE);
    try {
      String closed =
          AttemptRun.stub(
                  GateActivities.class,
                  RegisterOptions.GATE,
                  "ask the gate of team " + trigger.team())
              .check(new GateCheck(PATH, trigger))
              .closedReason();
      view.note(closed == null ? "open" : "closed: " + closed);
      return closed;
    } catch (ActivityFailure failure) {
      AttemptRun.rethrowIfCancelled(failure);
      return Texts.gateNotAsked(failure);
    }
  }

  /** Opens an attempt, or finds the generation live already. */
  OpenedAttempt open() {
    try {
      return run.open();
    } catch (ActivityFailure failure) {
      AttemptRun.rethrowIfCancelled(failure);
      throw failure;
    }
  }

  /** Runs the stages of an open attempt and closes it. */
  Outcome bringIn(AttemptRef attempt) {
    return run.run(attempt, this::stages);
  }

  private RegisterResult stages(AttemptRef attempt) {
    view.enter(RegisterStage.PREPARE);
    PrepareResult prepared =
        AttemptRun.stub(
                PrepareActivities.class,
                RegisterOptions.PREPARE,
                "look at " + trigger.preparedFolder())
            .prepare(new PrepareInput(trigger, attempt));
    Preparation preparation = prepared.preparation();
    if (preparation == null) {
      return run.stale(String.valueOf(prepared.staleReason()));
    }
    run.prepared(preparation);
    StageInput input = new StageInput(trigger, attempt, preparation);
    String table = preparation.schema() + "." + preparation.table();

    view.enter(RegisterStage.LAND);
    view.landed(
        AttemptRun.stub(
                LandActivities.class,
                RegisterOptions.LAND,
                "copy " + preparation.files() + " files")
            .land(input));

    view.enter(RegisterStage.INSPECT);
    view.inspected(
        AttemptRun.stub(
                InspectActivities.class, RegisterOptions.INSPECT, "read the footers for " + table)
            .inspect(input));

    view.enter(RegisterStage.VERIFY);
    view.note(
        AttemptRun.stub(VerifyActivities.class, RegisterOptions.VERIFY, "verify against the source")
                .verify(input)
                .checks()
            + " checks passed");

    view.enter(RegisterStage.PUBLISH);
    PublishResult published =
        AttemptRun.stub(PublishActivities.class, RegisterOptions.PUBLISH, "publish as " + table)
            .publish(input);
    LivePublication publication = published.publication();
    return publication == null
        ? run.stale(String.valueOf(published.staleReason()))
        : run.published(publication);
  }
}
