package dev.sluice.activities.jobs;

import java.util.Optional;

/**
 * Tells in one sentence how a source stands and why: what became of its latest attempt, what has
 * kept a trigger from being begun since, and what waits. Stateless.
 */
final class StatusSentence {
  private StatusSentence() {}

  /**
   * Makes the sentence.
   *
   * @param latest the attempt that started last
   * @param unattended whether the latest attempt runs and nobody looks after it
   * @param pending what waits in the slot
   * @param lastEvent the newest event
   */
  static String of(
      Optional<SourceJob> latest,
      boolean unattended,
      Optional<StoredTrigger> pending,
      Optional<SourceEvent> lastEvent) {
    String told = latest.map(job -> told(job, unattended)).orElse("");
    String since =
        lastEvent
            .flatMap(StatusSentence::notBegun)
            .map(what -> (latest.isPresent() ? "; since then " : "nothing was begun; ") + what)
            .orElse("");
    String base = told + since;
    if (pending.isEmpty()) {
      return base.isEmpty() ? "it was never triggered" : base;
    }
    return waiting(pending.get(), latest) + (base.isEmpty() ? "" : "; " + base);
  }

  private static String waiting(StoredTrigger pending, Optional<SourceJob> latest) {
    String generation = "generation " + pending.trigger().generation();
    return latest
        .filter(job -> job.status() == JobStatus.RUNNING)
        .map(
            job ->
                generation
                    + " waits behind generation "
                    + job.generation()
                    + " since "
                    + pending.receivedAt())
        .orElse(generation + " waits for its run since " + pending.receivedAt());
  }

  private static String told(SourceJob job, boolean unattended) {
    String generation = "generation " + job.generation();
    return switch (job.status()) {
      case RUNNING ->
          generation + " is being brought in since " + job.startedAt() + now(job, unattended);
      case COMPLETED -> generation + " was published at snapshot " + job.snapshotId();
      case FAILED ->
          job.reapedAt() == null
              ? generation + " failed: " + job.latestError()
              : generation
                  + " was lost and was closed by the reaper at "
                  + job.reapedAt()
                  + ": "
                  + job.latestError();
      case STALE -> generation + " was superseded by a newer one: " + job.reason();
      case SKIPPED -> generation + " was skipped: " + job.reason();
    };
  }

  /** What is known of an attempt that runs, or that nobody knows. */
  private static String now(SourceJob job, boolean unattended) {
    if (unattended) {
      return ", and no worker has looked after it since "
          + (job.checkedAt() == null ? job.startedAt() : job.checkedAt())
          + " (none runs, or none reaches Temporal); it goes on once one does";
    }
    return job.checkNote() == null ? "" : "; " + job.checkNote();
  }

  /** The newest event as a clause, where it tells why a trigger was not begun. */
  private static Optional<String> notBegun(SourceEvent event) {
    String because = event.reason() == null ? "" : ": " + event.reason();
    return switch (event.kind()) {
      case GATE_CLOSED -> Optional.of("the gate was closed" + because);
      case SUPERSEDED -> Optional.of("a trigger was superseded" + because);
      case DUPLICATE -> Optional.of("a trigger was a duplicate" + because);
      case REFUSED -> Optional.of("a trigger was refused" + because);
      case PAUSED -> Optional.of("the source was paused" + because);
      // of an attempt, the attempt itself tells it
      case REAPED ->
          event.attemptNumber() == null
              ? Optional.of("a trigger was lost before it had an attempt" + because)
              : Optional.empty();
      case RUNNING,
          COMPLETED,
          FAILED,
          SKIPPED,
          STALE,
          RESTARTED,
          RECONCILED,
          FOREIGN_CONTENT_REPLACED,
          SCHEMA_CHANGED,
          RENAMED,
          LEFT_OUT,
          REWRITTEN,
          LANDING_CLEANED,
          EMPTY,
          RESUMED ->
          Optional.empty();
    };
  }
}
