package dev.sluice.workflows.internal;

import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.WorkflowPath;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One attempt outside of the register workflow: whatever happens in it, it is closed with that. */
final class AttemptRun {
  private static final WorkflowPath PATH = WorkflowPath.REGISTER;

  private final RegisterTrigger trigger;
  private final RunView view;
  private @Nullable Preparation target;

  /** The stages of the attempt. */
  interface Stages {
    RegisterResult run(AttemptRef attempt);
  }

  AttemptRun(RegisterTrigger trigger, RunView view) {
    this.trigger = trigger;
    this.view = view;
  }

  /** Opens an attempt, or finds its generation live already. */
  OpenedAttempt open() {
    view.enter(RegisterStage.OPEN);
    WorkflowInfo info = Workflow.getInfo();
    OpenedAttempt opened =
        stub(JobActivities.class, RegisterOptions.JOBS, "open " + trigger.attemptId())
            .openAttempt(
                new AttemptOpening(
                    PATH,
                    trigger,
                    Instant.ofEpochMilli(info.getRunStartedTimestampMillis()),
                    info.getWorkflowId(),
                    info.getRunId(),
                    info.getNamespace()));
    AttemptRef attempt = opened.attempt();
    if (attempt != null) {
      view.opened(attempt);
    }
    return opened;
  }

  /** Notes where the attempt publishes to. */
  void prepared(Preparation preparation) {
    target = preparation;
    view.prepared(preparation);
  }

  /** Runs the stages and closes the attempt. */
  Outcome run(AttemptRef attempt, Stages stages) {
    return close(attempt, outcome(attempt, stages));
  }

  /** Runs the stages; the attempt is still to be closed. */
  Outcome outcome(AttemptRef attempt, Stages stages) {
    try {
      return Outcome.of(stages.run(attempt));
    } catch (ActivityFailure failure) {
      return failed(failure);
    } catch (CanceledFailure cancelled) {
      return cancelled(cancelled);
    }
  }

  RegisterResult published(LivePublication publication) {
    view.note("snapshot " + publication.snapshotId() + ", " + publication.rows() + " rows");
    return Results.completed(trigger, publication, null);
  }

  RegisterResult stale(String reason) {
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
  Outcome close(AttemptRef attempt, Outcome outcome) {
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

  /** What a run ends with that failed before an attempt was opened: the activity's own words. */
  static TemporalFailure refusal(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure cancelled) {
      return cancelled;
    }
    ApplicationFailure application = Texts.application(failure);
    return ApplicationFailure.newBuilder()
        .setMessage(Texts.reason(failure))
        .setType(application == null ? FailureTypes.REGISTER_FAILED : application.getType())
        .setNonRetryable(true)
        .setCause(failure)
        .build();
  }

  static <T> T stub(Class<T> activities, ActivityOptions options, String summary) {
    return Workflow.newActivityStub(
        activities, ActivityOptions.newBuilder(options).setSummary(Texts.summary(summary)).build());
  }
}
