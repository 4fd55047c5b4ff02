package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StoredTrigger;
import dev.sluice.worker.wiring.HomeStores;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of a trigger that another one's outcome was heard of: the workflow that was followed
 * has brought in a newer generation last.
 */
final class OwnOutcome {
  private static final int ATTEMPTS = 50;

  private OwnOutcome() {}

  /** Finds the trigger's own outcome; empty when it has none yet. */
  static Optional<RegisterResult> find(HomeStores home, RegisterTrigger trigger) {
    SourceRef source = new SourceRef(trigger.team(), trigger.sourceSchemaId());
    Optional<SourceJob> attempt =
        home.jobs().history(source, ATTEMPTS).stream()
            .filter(job -> job.key().path() == trigger.path())
            .filter(job -> job.key().attempt().attemptId().equals(trigger.attemptId()))
            .findFirst();
    return attempt.isPresent()
        ? attempt.flatMap(job -> ofAttempt(trigger, job))
        : home.triggers()
            .find(trigger.path(), source, trigger.attemptId())
            .flatMap(stored -> ofTrigger(trigger, stored));
  }

  private static Optional<RegisterResult> ofAttempt(RegisterTrigger trigger, SourceJob job) {
    RegisterStatus status =
        switch (job.status()) {
          case RUNNING -> null;
          case COMPLETED -> RegisterStatus.COMPLETED;
          case STALE -> RegisterStatus.STALE;
          case SKIPPED -> RegisterStatus.SKIPPED;
          case FAILED -> RegisterStatus.FAILED;
        };
    return status == null
        ? Optional.empty()
        : Optional.of(
            new RegisterResult(
                status,
                job.latestError() == null ? job.reason() : job.latestError(),
                status == RegisterStatus.FAILED ? FailureTypes.REGISTER_FAILED : null,
                trigger.attemptId(),
                trigger.generation().value(),
                job.schema(),
                job.table(),
                job.rows(),
                job.files(),
                job.bytes(),
                job.snapshotId()));
  }

  /** A trigger without any attempt. */
  private static Optional<RegisterResult> ofTrigger(RegisterTrigger trigger, StoredTrigger stored) {
    return switch (stored.state()) {
      case RUNNING, PENDING -> Optional.empty();
      case SUPERSEDED, STALE -> Optional.of(bare(trigger, RegisterStatus.STALE, stored, null));
      case DUPLICATE, COMPLETED ->
          Optional.of(bare(trigger, RegisterStatus.COMPLETED, stored, null));
      case SKIPPED -> Optional.of(bare(trigger, RegisterStatus.SKIPPED, stored, null));
      case REFUSED ->
          Optional.of(bare(trigger, RegisterStatus.FAILED, stored, FailureTypes.INVALID_INPUT));
      case FAILED ->
          Optional.of(bare(trigger, RegisterStatus.FAILED, stored, FailureTypes.REGISTER_FAILED));
    };
  }

  private static RegisterResult bare(
      RegisterTrigger trigger,
      RegisterStatus status,
      StoredTrigger stored,
      @Nullable String failureType) {
    return new RegisterResult(
        status,
        stored.reason(),
        failureType,
        trigger.attemptId(),
        trigger.generation().value(),
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
