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
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One attempt: whatever happens in it, it is closed with that. */
final class AttemptRun {
  private final RunView view;
  private RegisterTrigger trigger;
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
    OpenedAttempt opened = open(trigger);
    AttemptRef attempt = opened.attempt();
    if (attempt != null) {
      view.opened(attempt);
    }
    return opened;
  }

  /** Asks for an attempt to be opened by this run. */
  static OpenedAttempt open(RegisterTrigger trigger) {
    WorkflowInfo info = Workflow.getInfo();
    return stub(
            JobActivities.class,
            StageOptions.JOBS,
            "open an attempt of job %s at generation %s of %s"
                .formatted(trigger.jobId(), trigger.generation(), Texts.source(trigger)))
        .openAttempt(
            new AttemptOpening(
                trigger.path(),
                trigger,
                Instant.ofEpochMilli(info.getRunStartedTimestampMillis()),
                info.getWorkflowId(),
                info.getRunId(),
                info.getNamespace()));
  }

  /** Notes which version of the trigger's source the attempt brings in. */
  void pinned(RegisterTrigger version) {
    trigger = version;
    view.pinned(version);
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

  private Outcome outcome(AttemptRef attempt, Stages stages) {
    try {
      return Outcome.of(stages.run(attempt));
    } catch (ActivityFailure failure) {
      return failed(failure);
    } catch (CanceledFailure cancelled) {
      return cancelled(cancelled);
    }
  }

  RegisterResult published(LivePublication publication) {
    view.note(
        "snapshot %d, %d rows, %s"
            .formatted(
                publication.snapshotId(),
                publication.rows(),
                Texts.size(publication.files(), publication.bytes())));
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
    String reason = Texts.reason(failure);
    if (Results.typeOf(failure).equals(FailureTypes.ATTEMPT_FENCED)) {
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

  /** Writes the outcome down, also when the run is cancelled. */
  private Outcome close(AttemptRef attempt, Outcome outcome) {
    view.enter(RegisterStage.CLOSE);
    RegisterResult[] stored = {outcome.result()};
    Workflow.newDetachedCancellationScope(
            () -> stored[0] = close(trigger, attempt, outcome.result()))
        .run();
    return stored[0].status() == RegisterStatus.FAILED
        ? new Outcome(stored[0], outcome.failure())
        : Outcome.of(stored[0]);
  }

  /**
   * Gives an attempt its outcome. The job table may know better: an attempt whose publication went
   * through is completed, whatever was heard of it.
   */
  static RegisterResult close(RegisterTrigger trigger, AttemptRef attempt, RegisterResult result) {
    return stub(
            JobActivities.class,
            StageOptions.JOBS,
            "close attempt %d as %s, generation %s of %s"
                .formatted(
                    attempt.number(),
                    result.status().word(),
                    trigger.generation(),
                    Texts.source(trigger)))
        .closeAttempt(new AttemptClosing(trigger.path(), trigger, attempt, result))
        .result();
  }

  /** A cancelled run ends as that, not with the activity that the cancellation met. */
  static void rethrowIfCancelled(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure cancelled) {
      throw cancelled;
    }
  }

  /** What a run ends with that failed before an attempt was opened: the activity's own words. */
  static TemporalFailure refusal(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure cancelled) {
      return cancelled;
    }
    return ApplicationFailure.newBuilder()
        .setMessage(Texts.reason(failure))
        .setType(Results.typeOf(failure))
        .setNonRetryable(true)
        .setCause(failure)
        .build();
  }

  static <T> T stub(Class<T> activities, ActivityOptions options, String summary) {
    return Workflow.newActivityStub(
        activities, ActivityOptions.newBuilder(options).setSummary(Texts.summary(summary)).build());
  }
}
