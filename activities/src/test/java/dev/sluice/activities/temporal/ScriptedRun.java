package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
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
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.VerifyActivities;
import dev.sluice.workflows.activity.WorkflowPath;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of the register workflow without its workflow service: the same activities in the same
 * order with the same meaning of failures, on the calling thread, so that a test decides when each
 * step is taken. A failed activity that may be tried again is tried again at once.
 */
final class ScriptedRun implements Runnable {

  private static final int TRIES = 12;

  private final RegisterTrigger trigger;
  private final String runId;
  private final Baton baton;
  private final JobActivities jobs;
  private final PrepareActivities prepare;
  private final LandActivities land;
  private final InspectActivities inspect;
  private final VerifyActivities verify;
  private final PublishActivities publish;
  private volatile boolean terminated;
  private volatile @Nullable RegisterResult result;
  private volatile @Nullable Throwable broken;

  /** The workflow was terminated: nothing of it goes on, not even its closing. */
  private static final class Terminated extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  ScriptedRun(
      RegisterTrigger trigger, String runId, TestActivityEnvironment activities, Baton baton) {
    this.trigger = trigger;
    this.runId = runId;
    this.baton = baton;
    this.jobs = activities.newActivityStub(JobActivities.class);
    this.prepare = activities.newActivityStub(PrepareActivities.class);
    this.land = activities.newActivityStub(LandActivities.class);
    this.inspect = activities.newActivityStub(InspectActivities.class);
    this.verify = activities.newActivityStub(VerifyActivities.class);
    this.publish = activities.newActivityStub(PublishActivities.class);
  }

  RegisterTrigger trigger() {
    return trigger;
  }

  /** Ends the workflow; an activity that runs goes on to its end without it. */
  void terminate() {
    terminated = true;
  }

  boolean isTerminated() {
    return terminated;
  }

  String runId() {
    return runId;
  }

  /** What it ended with; null when it was terminated. */
  @Nullable RegisterResult result() {
    return result;
  }

  /** What should not have come up; null when nothing did. */
  @Nullable Throwable broken() {
    return broken;
  }

  @Override
  public void run() {
    try {
      result = bringIn();
    } catch (Terminated end) {
      result = null;
    } catch (RuntimeException | Error e) {
      broken = e;
    }
  }

  private RegisterResult bringIn() {
    call(
        () ->
            jobs.recordTrigger(
                new TriggerRecord(
                    WorkflowPath.REGISTER,
                    trigger,
                    TriggerDisposition.RUNNING,
                    null,
                    "workflow",
                    runId,
                    "default",
                    Instant.EPOCH)));
    OpenedAttempt opened =
        call(
            () ->
                jobs.openAttempt(
                    new AttemptOpening(
                        WorkflowPath.REGISTER,
                        trigger,
                        Instant.EPOCH,
                        "workflow",
                        runId,
                        "default")));
    LivePublication live = opened.live();
    if (live != null) {
      return completed(live);
    }
    AttemptRef mine = opened.attempt();
    if (mine == null) {
      throw new IllegalStateException("an attempt is opened or not needed");
    }
    RegisterResult outcome = stages(mine);
    return call(() ->
            jobs.closeAttempt(new AttemptClosing(WorkflowPath.REGISTER, trigger, mine, outcome)))
        .result();
  }

  private RegisterResult stages(AttemptRef mine) {
    try {
      PrepareResult prepared = call(() -> prepare.prepare(new PrepareInput(trigger, mine)));
      Preparation preparation = prepared.preparation();
      if (preparation == null) {
        return unpublished(trigger, RegisterStatus.STALE, prepared.staleReason());
      }
      StageInput input = new StageInput(trigger, mine, preparation);
      call(() -> land.land(input));
      call(() -> inspect.inspect(input));
      call(() -> verify.verify(input));
      PublishResult published = call(() -> publish.publish(input));
      LivePublication publication = published.publication();
      return publication == null
          ? unpublished(trigger, RegisterStatus.STALE, published.staleReason())
          : completed(publication);
    } catch (ApplicationFailure failure) {
      boolean fenced = failure.getType().equals(FailureTypes.ATTEMPT_FENCED);
      return unpublished(
          trigger,
          fenced ? RegisterStatus.STALE : RegisterStatus.FAILED,
          failure.getOriginalMessage());
    }
  }

  /**
   * @throws ApplicationFailure that is not to be tried again
   */
  private <T> T call(Supplier<T> activity) {
    for (int tries = 0; tries < TRIES; tries++) {
      if (terminated) {
        throw new Terminated();
      }
      try {
        return activity.get();
      } catch (ActivityFailure failure) {
        if (!baton.reborn()
            && failure.getCause() instanceof ApplicationFailure cause
            && (cause.isNonRetryable() || FailureTypes.nonRetryable().contains(cause.getType()))) {
          throw cause;
        }
      }
    }
    throw new IllegalStateException("an activity did not succeed in " + TRIES + " tries");
  }

  private RegisterResult completed(LivePublication live) {
    return new RegisterResult(
        RegisterStatus.COMPLETED,
        null,
        null,
        trigger.attemptId(),
        trigger.generation().value(),
        live.schema(),
        live.table(),
        live.rows(),
        live.files(),
        live.bytes(),
        live.snapshotId());
  }

  static RegisterResult unpublished(
      RegisterTrigger trigger, RegisterStatus status, @Nullable String reason) {
    return new RegisterResult(
        status,
        reason,
        null,
        trigger.attemptId(),
        trigger.generation().value(),
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** What the reaper says of an attempt whose run is gone. */
  static AttemptClosing reaping(RegisterTrigger trigger, SourceJob running) {
    return new AttemptClosing(
        WorkflowPath.REGISTER,
        trigger,
        running.key().attempt(),
        unpublished(trigger, RegisterStatus.FAILED, "its run was terminated"));
  }
}
