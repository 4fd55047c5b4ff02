package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.ClosedAttempt;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import java.util.Optional;

/** Keeps the record of triggers and attempts; attempts are closed from what was published. */
public final class JobStage implements JobActivities {

  private final TriggerStore triggers;
  private final SourceJobs jobs;
  private final SourceJobEvents events;
  private final AttemptEnds ends;
  private final Failures failures;

  /** Makes the stage. */
  public JobStage(
      TriggerStore triggers,
      SourceJobs jobs,
      SourceJobEvents events,
      AttemptEnds ends,
      Failures failures) {
    this.triggers = triggers;
    this.jobs = jobs;
    this.events = events;
    this.ends = ends;
    this.failures = failures;
  }

  @Override
  public TriggerReceipt recordTrigger(TriggerRecord input) {
    return failures.mapped(() -> triggers.record(input));
  }

  @Override
  public OpenedAttempt openAttempt(AttemptOpening input) {
    return failures.mapped(
        () -> {
          SourceRef source = Attempts.source(input.trigger());
          Optional<Publication> live =
              ends.findLive(source, input.trigger().attemptId(), input.trigger().order());
          if (live.isPresent()) {
            String reason =
                "generation %s of job %s is live already, as snapshot %d"
                    .formatted(
                        input.trigger().generation(),
                        input.trigger().jobId(),
                        live.get().snapshotId());
            events.append(input.path(), source, EventKind.DUPLICATE, reason);
            triggers.settle(
                input.path(),
                source,
                input.trigger().attemptId(),
                input.runId(),
                RegisterStatus.COMPLETED,
                reason);
            return OpenedAttempt.alreadyLive(PublishStage.live(live.get()));
          }
          return OpenedAttempt.running(jobs.open(input));
        });
  }

  @Override
  public ClosedAttempt closeAttempt(AttemptClosing input) {
    return failures.mapped(
        () -> {
          AttemptKey key = Attempts.key(input.trigger(), input.attempt());
          return new ClosedAttempt(answer(input.result(), ends.close(key, input.result())));
        });
  }

  /** What is stored, where that is a publication; else what was asked. */
  private static RegisterResult answer(RegisterResult asked, SourceJob stored) {
    if (stored.status() != JobStatus.COMPLETED) {
      return asked;
    }
    return new RegisterResult(
        RegisterStatus.COMPLETED,
        asked.status() == RegisterStatus.COMPLETED
            ? asked.reason()
            : "published, although the run ended otherwise: " + asked.reason(),
        null,
        asked.attemptId(),
        asked.generation(),
        stored.schema(),
        stored.table(),
        stored.rows(),
        stored.files(),
        stored.bytes(),
        stored.snapshotId());
  }
}
