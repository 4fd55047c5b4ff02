package dev.sluice.activities.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the reaper has to ask for, least recently asked first, and what it has learnt. Several
 * reapers may use it at once: {@link #takeTurn} lets one of them begin at a time, and nothing here
 * relies on it. Thread-safe, also across processes.
 */
public final class ReaperList {
  private final StateDatabase home;
  private final SourceJobEvents events;
  private final ErrorText text;

  /** Makes the list; notes pass through the given cleaner. */
  public ReaperList(StateDatabase home, SourceJobEvents events, ErrorText text) {
    this.home = Objects.requireNonNull(home, "home");
    this.events = Objects.requireNonNull(events, "events");
    this.text = Objects.requireNonNull(text, "text");
  }

  /** Whether somebody may begin now. */
  public enum Turn {
    /** It is the caller's turn, and nobody else's before the pause is over. */
    TAKEN,
    /** Somebody began less than the pause ago. */
    NOT_YET
  }

  /**
   * Takes the turn for a duty when nobody has begun it within the pause. A row that moves, not a
   * lock that is held: it needs no session, and whoever dies with the turn blocks nobody for longer
   * than the pause.
   *
   * @param holder who asks, for people
   */
  public Turn takeTurn(String duty, String holder, Duration pause) {
    int taken =
        home.read(
            dsl ->
                dsl.execute(
                    """
                    INSERT INTO sluice.duty AS duty (name, holder, began_at) VALUES (?, ?, now())
                    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, began_at = now()
                    WHERE duty.began_at <= now() - CAST(? AS bigint) * INTERVAL '1 millisecond'
                    """,
                    duty,
                    holder,
                    pause.toMillis()));
    return taken == 1 ? Turn.TAKEN : Turn.NOT_YET;
  }

  /** Attempts that have not ended, of runs in this namespace. */
  public List<SourceJob> running(String namespace, int limit) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT * FROM sluice.source_job WHERE status = 'running' AND namespace = ?
                      AND workflow_id IS NOT NULL AND workflow_run_id IS NOT NULL
                    ORDER BY checked_at NULLS FIRST, opening LIMIT ?
                    """,
                    namespace,
                    limit)
                .map(SourceJobs::job));
  }

  /** Attempts that were closed while their lake could not be asked what was published. */
  public List<SourceJob> unreconciled(int limit) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT * FROM sluice.source_job WHERE unreconciled AND status <> 'running'
                    ORDER BY checked_at NULLS FIRST, opening LIMIT ?
                    """,
                    limit)
                .map(SourceJobs::job));
  }

  /**
   * Triggers that have neither an outcome nor a running attempt: they wait in the slot of a run, or
   * a run is about to take them up, or nobody holds them.
   *
   * @param untouchedFor how long they must have stood so; what has just been written is in hand
   */
  public List<StoredTrigger> unsettled(String namespace, Duration untouchedFor, int limit) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT * FROM sluice.trigger AS trigger
                    WHERE state IN ('running', 'pending') AND namespace = ?
                      AND updated_at <= now() - CAST(? AS bigint) * INTERVAL '1 millisecond'
                      AND NOT EXISTS (SELECT 1 FROM sluice.source_job AS job
                        WHERE job.team = trigger.team AND job.schema_id = trigger.schema_id
                          AND job.workflow_type = trigger.path
                          AND job.attempt_id = trigger.attempt_id
                          AND job.workflow_run_id = trigger.workflow_run_id
                          AND job.status = 'running')
                    ORDER BY checked_at NULLS FIRST, received_at LIMIT ?
                    """,
                    namespace,
                    untouchedFor.toMillis(),
                    limit)
                .map(TriggerStore::stored));
  }

  /**
   * Notes that an attempt's run is open, and extends its lease.
   *
   * @param note what is known about it, in a sentence; null for nothing
   */
  public void confirm(AttemptKey key, @Nullable String note, Duration lease) {
    home.read(
        dsl ->
            dsl.execute(
                "UPDATE sluice.source_job SET checked_at = now(), check_note = CAST(? AS varchar),"
                    + " lease_until = now() + CAST(? AS bigint) * INTERVAL '1 millisecond'"
                    + " WHERE status = 'running' AND "
                    + SourceJobs.THIS_ATTEMPT,
                SourceJobs.binds(key, text.cleanOrNull(note), lease.toMillis())));
  }

  /** Notes that an attempt was looked at without a result, so that others come first next time. */
  public void postpone(AttemptKey key) {
    home.read(
        dsl ->
            dsl.execute(
                "UPDATE sluice.source_job SET checked_at = now() WHERE " + SourceJobs.THIS_ATTEMPT,
                SourceJobs.binds(key)));
  }

  /** Notes that the lake has answered: nothing of this attempt was published. */
  public void reconciled(AttemptKey key) {
    home.read(
        dsl ->
            dsl.execute(
                "UPDATE sluice.source_job SET unreconciled = false, checked_at = now() WHERE "
                    + SourceJobs.THIS_ATTEMPT,
                SourceJobs.binds(key)));
  }

  /** Notes that a run holds the trigger. */
  public void confirm(StoredTrigger trigger) {
    home.read(
        dsl ->
            dsl.execute(
                "UPDATE sluice.trigger SET checked_at = now() WHERE " + THIS_TRIGGER,
                binds(trigger)));
  }

  /**
   * Notes that a trigger was handed to a run, with an event. No effect when it has changed since it
   * was read: then its run has written it down itself.
   */
  public void handedOver(StoredTrigger trigger, String runId, String reason) {
    home.write(
        dsl -> {
          int changed =
              dsl.execute(
                  "UPDATE sluice.trigger SET workflow_run_id = ?, checked_at = now(),"
                      + " updated_at = now() WHERE "
                      + THIS_TRIGGER
                      + " AND workflow_run_id = ? AND state IN ('running', 'pending')",
                  handedOverBinds(trigger, runId));
          events.append(
              dsl,
              new SourceJobEvents.Entry(
                  trigger.path(),
                  TriggerStore.sourceOf(trigger.trigger()),
                  EventKind.RESTARTED,
                  trigger.trigger().attemptId(),
                  null,
                  reason,
                  trigger.workflowId(),
                  runId));
          return changed;
        });
  }

  /**
   * Settles a trigger as failed that is not started again, with an event. No effect when it has
   * changed since it was read.
   */
  public void giveUp(StoredTrigger trigger, String reason) {
    home.write(
        dsl -> {
          int changed =
              dsl.execute(
                  "UPDATE sluice.trigger SET state = 'failed', reason = ?, updated_at = now() WHERE "
                      + THIS_TRIGGER
                      + " AND workflow_run_id = ? AND state IN ('running', 'pending')",
                  handedOverBinds(trigger, text.clean(reason)));
          if (changed == 1) {
            events.append(
                dsl,
                new SourceJobEvents.Entry(
                    trigger.path(),
                    TriggerStore.sourceOf(trigger.trigger()),
                    EventKind.REAPED,
                    trigger.trigger().attemptId(),
                    null,
                    reason,
                    trigger.workflowId(),
                    trigger.runId()));
          }
          return changed;
        });
  }

  private static final String THIS_TRIGGER =
      "path = ? AND team = ? AND schema_id = ? AND attempt_id = ?";

  private static Object[] binds(StoredTrigger trigger) {
    return new Object[] {
      trigger.path().word(),
      trigger.trigger().team(),
      trigger.trigger().sourceSchemaId(),
      trigger.trigger().attemptId()
    };
  }

  private static Object[] handedOverBinds(StoredTrigger trigger, String first) {
    return new Object[] {
      first,
      trigger.path().word(),
      trigger.trigger().team(),
      trigger.trigger().sourceSchemaId(),
      trigger.trigger().attemptId(),
      trigger.runId()
    };
  }
}
