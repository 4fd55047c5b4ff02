package dev.sluice.workflows.internal;

import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.GateActivities;
import dev.sluice.workflows.activity.GateCheck;
import dev.sluice.workflows.activity.InspectActivities;
import dev.sluice.workflows.activity.JobActivities;
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
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Takes one trigger through the stages. Whatever happens after an attempt was opened, the attempt
 * is closed with what happened.
 */
final class RegisterPipeline {
  private static final WorkflowPath PATH = WorkflowPath.REGISTER;

  private final RegisterTrigger trigger;
  private final RunView view;
  private @Nullable Preparation target;

  RegisterPipeline(RegisterTrigger trigger, RunView view) {
    this.trigger = trigger;
    this.view = view;
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
          stub(GateActivities.class, RegisterOptions.GATE, "ask the gate of team " + trigger.team())
              .check(new GateCheck(PATH, trigger))
              .closedReason();
      view.note(closed == null ? "open" : "closed: " + closed);
      return closed;
    } catch (ActivityFailure failure) {
      rethrowIfCancelled(failure);
      return "gate: closed because it could not be asked; " + Texts.reason(failure);
    }
  }

  /** Opens an attempt, or finds the generation live already. */
  OpenedAttempt open() {
    view.enter(RegisterStage.OPEN);
    WorkflowInfo info = Workflow.getInfo();
    try {
      return stub(JobActivities.class, RegisterOptions.JOBS, "open " + trigger.attemptId())
          .openAttempt(
              new AttemptOpening(
                  PATH,
                  trigger,
                  Instant.ofEpochMilli(info.getRunStartedTimestampMillis()),
                  info.getWorkflowId(),
                  info.getRunId(),
                  info.getNamespace()));
    } catch (ActivityFailure failure) {
      rethrowIfCancelled(failure);
      throw failure;
    }
  }

  /** Runs the stages of an open attempt and closes it. */
  Outcome bringIn(AttemptRef attempt) {
    view.opened(attempt);
    Outcome outcome;
    try {
      outcome = Outcome.of(stages(attempt));
    } catch (ActivityFailure failure) {
      outcome = failed(failure);
    } catch (CanceledFailure cancelled) {
      outcome = cancelled(cancelled);
    }
    return close(attempt, outcome);
  }

  private RegisterResult stages(AttemptRef attempt) {
    view.enter(RegisterStage.PREPARE);
    PrepareResult prepared =
        stub(
                PrepareActivities.class,
                RegisterOptions.PREPARE,
                "look at " + trigger.preparedFolder())
            .prepare(new PrepareInput(trigger, attempt));
    Preparation preparation = prepared.preparation();
    if (preparation == null) {
      return stale(String.valueOf(prepared.staleReason()));
    }
    target = preparation;
    view.prepared(preparation);
    StageInput input = new StageInput(trigger, attempt, preparation);
    String table = preparation.schema() + "." + preparation.table();

    view.enter(RegisterStage.LAND);
    view.landed(
        stub(LandActivities.class, RegisterOptions.LAND, "copy " + preparation.files() + " files")
            .land(input));

    view.enter(RegisterStage.INSPECT);
    view.inspected(
        stub(InspectActivities.class, RegisterOptions.INSPECT, "read the footers for " + table)
            .inspect(input));

    view.enter(RegisterStage.VERIFY);
    view.note(
        stub(VerifyActivities.class, RegisterOptions.VERIFY, "verify against the source")
                .verify(input)
                .checks()
            + " checks passed");

    view.enter(RegisterStage.PUBLISH);
    PublishResult published =
        stub(PublishActivities.class, RegisterOptions.PUBLISH, "publish as " + table)
            .publish(input);
    LivePublication publication = published.publication();
    if (publication == null) {
      return stale(String.valueOf(published.staleReason()));
    }
    view.note("snapshot " + publication.snapshotId() + ", " + publication.rows() + " rows");
    return Results.completed(trigger, publication, null);
  }

  private RegisterResult stale(String reason) {
    view.note("stale: " + reason);
    return Results.unpublished(trigger, target, RegisterStatus.STALE, Texts.cut(reason));
  }

  private Outcome failed(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure cancelled) {
      return cancelled(cancelled);
    }
    ApplicationFailure application = Texts.application(failure);
    String reason = Texts.reason(failure);
    if (application != null && application.getType().equals(FailureTypes.ATTEMPT_FENCED)) {
      return Outcome.of(stale(reason).withFailureType(FailureTypes.ATTEMPT_FENCED));
    }
    RegisterResult result =
        Results.unpublished(trigger, target, RegisterStatus.FAILED, reason)
            .withFailureType(Results.typeOf(failure));
    return new Outcome(result, Results.failure(result, failure));
  }

  private Outcome cancelled(CanceledFailure cancelled) {
    String reason = "cancelled on request in stage " + view.stage().word();
    return new Outcome(
        Results.unpublished(trigger, target, RegisterStatus.FAILED, reason), cancelled);
  }

  /**
   * Writes the outcome down, also when the run is cancelled. The job table may know better: an
   * attempt whose publication went through is completed, whatever was heard of it.
   */
  private Outcome close(AttemptRef attempt, Outcome outcome) {
    view.enter(RegisterStage.CLOSE);
    RegisterResult[] stored = {outcome.result()};
    Workflow.newDetachedCancellationScope(
            () ->
                stored[0] =
                    stub(
                            JobActivities.class,
                            RegisterOptions.JOBS,
                            "close as " + outcome.result().status().word())
                        .closeAttempt(new AttemptClosing(PATH, trigger, attempt, outcome.result()))
                        .result())
        .run();
    return stored[0].status() == RegisterStatus.FAILED
        ? new Outcome(stored[0], outcome.failure())
        : Outcome.of(stored[0]);
  }

  private static void rethrowIfCancelled(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure cancelled) {
      throw cancelled;
    }
  }

  private static <T> T stub(Class<T> activities, ActivityOptions options, String summary) {
    return Workflow.newActivityStub(
        activities, ActivityOptions.newBuilder(options).setSummary(Texts.summary(summary)).build());
  }
}
