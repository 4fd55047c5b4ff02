package dev.sluice.worker.metrics;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.worker.metrics.SluiceMetrics.Stage;
import dev.sluice.worker.metrics.SluiceMetrics.StageStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.CopyPlan;
import dev.sluice.workflows.activity.CopyPrepareInput;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.PrepareInput;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.activity.PublishResult;
import dev.sluice.workflows.activity.StageInput;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the metrics of the register path by looking at the activities from outside, so that they
 * need to know nothing of metrics. A repeated activity counts again. Thread-safe.
 */
public final class RegisterMetrics extends WorkerInterceptorBase {
  private static final Logger log = LoggerFactory.getLogger(RegisterMetrics.class);

  private final SluiceMetrics metrics;
  private final SourceJobs jobs;

  /** Feeds these metrics; an ended attempt's times come from the store. */
  public RegisterMetrics(SluiceMetrics metrics, SourceJobs jobs) {
    this.metrics = Objects.requireNonNull(metrics, "metrics");
    this.jobs = Objects.requireNonNull(jobs, "jobs");
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new Observed(next);
  }

  private final class Observed extends ActivityInboundCallsInterceptorBase {
    private String activity = "";

    Observed(ActivityInboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public void init(ActivityExecutionContext context) {
      activity = context.getInfo().getActivityType();
      super.init(context);
    }

    @Override
    public ActivityOutput execute(ActivityInput input) {
      Object argument = input.getArguments().length == 0 ? null : input.getArguments()[0];
      long begin = System.nanoTime();
      try {
        ActivityOutput output = super.execute(input);
        note(argument, output.getResult(), Duration.ofNanos(System.nanoTime() - begin));
        return output;
      } catch (RuntimeException e) {
        stageOf(activity)
            .ifPresent(
                stage ->
                    triggerOf(argument)
                        .ifPresent(
                            trigger ->
                                metrics.stage(
                                    trigger.path(),
                                    source(trigger),
                                    stage,
                                    StageStatus.FAILED,
                                    Duration.ofNanos(System.nanoTime() - begin))));
        throw e;
      }
    }

    private void note(@Nullable Object argument, @Nullable Object result, Duration duration) {
      Optional<RegisterTrigger> trigger = triggerOf(argument);
      Optional<Stage> stage = stageOf(activity);
      if (trigger.isPresent() && stage.isPresent()) {
        StageStatus status = isStale(result) ? StageStatus.STALE : StageStatus.SUCCESS;
        metrics.stage(trigger.get().path(), source(trigger.get()), stage.get(), status, duration);
        if (status == StageStatus.STALE) {
          metrics.stale(trigger.get().path(), source(trigger.get()), stage.get());
        }
      }
      if (argument instanceof AttemptOpening opening
          && result instanceof OpenedAttempt opened
          && opened.attempt() != null) {
        metrics.started(opening.path(), source(opening.trigger()));
      }
      if (argument instanceof AttemptClosing closing) {
        ended(closing);
      }
    }

    private void ended(AttemptClosing closing) {
      AttemptKey key = new AttemptKey(closing.path(), source(closing.trigger()), closing.attempt());
      try {
        jobs.find(key).ifPresent(job -> noteEnd(key.source(), job));
      } catch (RuntimeException e) {
        // A metric is not worth a failed activity.
        log.warn("metrics of {} are lost", key, e);
      }
    }
  }

  /** Counts an attempt that ended outside of its activities, as the reaper ends them. */
  public void ended(SourceJob job) {
    noteEnd(job.key().source(), job);
  }

  private void noteEnd(SourceRef source, SourceJob job) {
    if (job.finishedAt() == null) {
      return;
    }
    metrics.finished(
        job.key().path(),
        source,
        job.status().word(),
        Duration.between(job.startedAt(), job.finishedAt()));
    if (job.files() != null && job.rows() != null && job.bytes() != null) {
      metrics.published(
          job.key().path(), source, job.files(), job.rows(), job.bytes(), job.finishedAt());
    }
  }

  private static boolean isStale(@Nullable Object result) {
    return (result instanceof PrepareResult prepared && prepared.staleReason() != null)
        || (result instanceof CopyPlan plan && plan.staleReason() != null)
        || (result instanceof PublishResult published && published.staleReason() != null);
  }

  private static Optional<RegisterTrigger> triggerOf(@Nullable Object argument) {
    if (argument instanceof PrepareInput prepare) {
      return Optional.of(prepare.trigger());
    }
    if (argument instanceof CopyPrepareInput prepare) {
      return Optional.of(prepare.trigger());
    }
    if (argument instanceof StageInput stage) {
      return Optional.of(stage.trigger());
    }
    return Optional.empty();
  }

  private static SourceRef source(RegisterTrigger trigger) {
    return new SourceRef(trigger.team(), trigger.sourceSchemaId());
  }

  private static Optional<Stage> stageOf(String activity) {
    return Optional.ofNullable(
        switch (activity) {
          case "prepare", "copyPrepare" -> Stage.PREPARE;
          case "land", "copyLand" -> Stage.COPY;
          case "inspect" -> Stage.REGISTER;
          case "verify", "copyVerify" -> Stage.VERIFY;
          case "publish" -> Stage.PUBLISH;
          default -> null;
        });
  }
}
