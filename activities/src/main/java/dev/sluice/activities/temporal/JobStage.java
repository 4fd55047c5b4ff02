package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.ClosedAttempt;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the record of triggers and attempts; attempts are closed from what was published. */
public final class JobStage implements JobActivities {

  private static final Logger LOG = LoggerFactory.getLogger(JobStage.class);

  private final TriggerStore triggers;
  private final SourceJobs jobs;
  private final SourceJobEvents events;
  private final TableNames names;
  private final Lakes lakes;
  private final Failures failures;

  /** Makes the stage. */
  public JobStage(
      TriggerStore triggers,
      SourceJobs jobs,
      SourceJobEvents events,
      TableNames names,
      Lakes lakes,
      Failures failures) {
    this.triggers = triggers;
    this.jobs = jobs;
    this.events = events;
    this.names = names;
    this.lakes = lakes;
    this.failures = failures;
  }

  @Override
  public TriggerReceipt recordTrigger(TriggerRecord input) {
    return failures.mapped(() -> new TriggerReceipt(triggers.record(input)));
  }

  @Override
  public OpenedAttempt openAttempt(AttemptOpening input) {
    return failures.mapped(
        () -> {
          Optional<LivePublication> live = liveGeneration(input);
          if (live.isPresent()) {
            SourceRef source = Attempts.source(input.trigger());
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
                RegisterStatus.COMPLETED,
                reason);
            return OpenedAttempt.alreadyLive(live.get());
          }
          return OpenedAttempt.running(jobs.open(input));
        });
  }

  /** The publication of this very generation, if that is what is live now. */
  private Optional<LivePublication> liveGeneration(AttemptOpening input) {
    SourceRef source = Attempts.source(input.trigger());
    return inLakeOf(
            source,
            (lake, assigned) -> {
              Target target = new Target(lake.key(), assigned.schema(), assigned.table());
              return lake.state().read(dsl -> Publications.findLive(dsl, target));
            })
        .filter(live -> live.attempt().source().equals(source))
        .filter(live -> live.attempt().attempt().attemptId().equals(input.trigger().attemptId()))
        .map(PublishStage::live);
  }

  /**
   * Asks the lake of a source. A lake that cannot be asked has no answer: the attempt must be
   * opened, and a failure be written down, even when the lake is what failed. Should it have
   * published nevertheless, the record is corrected from the publication later.
   */
  private Optional<Publication> inLakeOf(
      SourceRef source, BiFunction<LakeAccess, Target, Optional<Publication>> question) {
    Optional<Target> assigned = names.find(source).map(TableNames.Assigned::target);
    if (assigned.isEmpty()) {
      return Optional.empty();
    }
    try {
      return question.apply(lakes.require(assigned.get().lake()), assigned.get());
    } catch (CatalogException | StateException | DataAccessException | ApplicationFailure e) {
      LOG.warn("lake {} cannot be asked about {}", assigned.get().lake(), source, e);
      return Optional.empty();
    }
  }

  @Override
  public ClosedAttempt closeAttempt(AttemptClosing input) {
    return failures.mapped(
        () -> {
          AttemptKey key = Attempts.key(input.trigger(), input.attempt());
          if (input.result().status() != RegisterStatus.COMPLETED) {
            revoke(key, input.result());
          }
          Optional<Publication> publication = findPublication(key);
          if (publication.isEmpty()) {
            jobs.close(key, input.result());
            return new ClosedAttempt(input.result());
          }
          LivePublication live = PublishStage.live(publication.get());
          jobs.reconcile(key, live);
          return new ClosedAttempt(completed(input, live));
        });
  }

  /**
   * Lets go of the fence before looking what was published: a publication whose answer was lost is
   * waited for, and one that has not begun never will. Otherwise an attempt closed as failed could
   * still be published.
   */
  private void revoke(AttemptKey key, RegisterResult result) {
    inLakeOf(
        key.source(),
        (lake, assigned) -> {
          Target target = new Target(lake.key(), assigned.schema(), assigned.table());
          return lake.state()
              .write(
                  dsl -> {
                    Fences.revoke(
                        dsl, target, key.attempt(), "it was closed as " + result.status().word());
                    return Optional.<Publication>empty();
                  });
        });
  }

  private Optional<Publication> findPublication(AttemptKey key) {
    return inLakeOf(
        key.source(),
        (lake, assigned) ->
            lake.state().read(dsl -> Publications.findByAttempt(dsl, lake.key(), key)));
  }

  private static RegisterResult completed(AttemptClosing input, LivePublication live) {
    RegisterResult asked = input.result();
    return new RegisterResult(
        RegisterStatus.COMPLETED,
        asked.status() == RegisterStatus.COMPLETED
            ? asked.reason()
            : "published, although the run ended otherwise: " + asked.reason(),
        asked.attemptId(),
        asked.generation(),
        live.schema(),
        live.table(),
        live.rows(),
        live.files(),
        live.bytes(),
        live.snapshotId());
  }
}
