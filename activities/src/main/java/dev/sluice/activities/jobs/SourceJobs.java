package dev.sluice.activities.jobs;

import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.naming.ProducerOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * The attempts. A row is opened once, belongs to one attempt and number for ever, and keeps the
 * outcome it was given first; only {@link #reconcile} corrects one, from the publication. Every
 * call is one transaction and safe to repeat. Thread-safe, also across processes.
 */
public final class SourceJobs {
  /** What an attempt has before the reaper first sees it: three of its longest pauses. */
  static final Duration FIRST_LEASE = Duration.ofSeconds(90);

  private final StateDatabase home;
  private final SourceJobEvents events;
  private final TriggerStore triggers;
  private final ErrorText text;

  /** Makes the store; errors and reasons pass through the given cleaner. */
  public SourceJobs(
      StateDatabase home, SourceJobEvents events, TriggerStore triggers, ErrorText text) {
    this.home = Objects.requireNonNull(home, "home");
    this.events = Objects.requireNonNull(events, "events");
    this.triggers = Objects.requireNonNull(triggers, "triggers");
    this.text = Objects.requireNonNull(text, "text");
  }

  /**
   * Opens an attempt as running and gives it the next number of its attempt id, from 1. The run
   * that opened one before for the same attempt id is answered with that one.
   */
  public AttemptRef open(AttemptOpening opening) {
    RegisterTrigger trigger = opening.trigger();
    SourceRef source = TriggerStore.sourceOf(trigger);
    return home.write(
        dsl -> {
          Rows.lock(dsl, "attempt", opening.path(), source);
          int number =
              openedBefore(dsl, opening, source).orElseGet(() -> insert(dsl, opening, source));
          AttemptRef attempt = new AttemptRef(trigger.attemptId(), number);
          events.append(
              dsl,
              SourceJobEvents.Entry.ofAttempt(
                  new AttemptKey(opening.path(), source, attempt),
                  EventKind.RUNNING,
                  null,
                  opening.workflowId(),
                  opening.runId()));
          return attempt;
        });
  }

  /**
   * Notes where the attempt publishes to; no effect once it has ended.
   *
   * @param lake the lake's configured name
   */
  public void noteTarget(AttemptKey key, String lake, String schema, String table) {
    home.read(
        dsl ->
            dsl.execute(
                "UPDATE sluice.source_job SET lake = ?, target_schema = ?, target_table = ?,"
                    + " updated_at = now() WHERE status = 'running' AND "
                    + THIS_ATTEMPT,
                binds(key, lake, schema, table)));
  }

  /** Notes which generation the attempt brings in, where its trigger left that open. */
  public void noteGeneration(AttemptKey key, String generation, ProducerOrder order) {
    home.read(
        dsl ->
            dsl.execute(
                "UPDATE sluice.source_job SET generation = ?, order_kind = ?, order_value = ?,"
                    + " updated_at = now() WHERE status = 'running' AND "
                    + THIS_ATTEMPT,
                binds(key, generation, order.kind().word(), order.value())));
  }

  /**
   * Gives a running attempt its outcome, settles its trigger and appends an event. An attempt that
   * has ended keeps what it has, and that is the answer.
   *
   * @throws StateException of kind {@code UNKNOWN_ATTEMPT} when it was never opened
   */
  public SourceJob close(AttemptKey key, RegisterResult result) {
    return end(key, result, Ending.BY_ITS_RUN);
  }

  /** Who gives an attempt its outcome, and what that means for its trigger. */
  public enum Ending {
    /** The run itself. */
    BY_ITS_RUN,
    /** The run itself, while the lake could not be asked what was published; asked for later. */
    UNRECONCILED,
    /** The reaper: the run had ended without doing so. */
    REAPED,
    /**
     * The reaper, for a run that nobody ended on purpose: the trigger stays to be started again.
     */
    REAPED_TO_START_AGAIN
  }

  /** Ends an attempt as {@link #close} does, by somebody else or with something left open. */
  public SourceJob end(AttemptKey key, RegisterResult result, Ending ending) {
    JobStatus status = JobStatus.of(result.status());
    boolean failed = status == JobStatus.FAILED;
    boolean reaped = ending == Ending.REAPED || ending == Ending.REAPED_TO_START_AGAIN;
    String reason = text.cleanOrNull(result.reason());
    return home.write(
        dsl -> {
          int changed =
              dsl.execute(
                  """
                  UPDATE sluice.source_job SET status = ?, finished_at = clock_timestamp(),
                    latest_error = CAST(? AS varchar), reason = CAST(? AS varchar),
                    target_schema = coalesce(CAST(? AS varchar), target_schema),
                    target_table = coalesce(CAST(? AS varchar), target_table),
                    row_count = CAST(? AS bigint), file_count = CAST(? AS bigint),
                    byte_count = CAST(? AS bigint), snapshot_id = CAST(? AS bigint),
                    reaped_at = CASE WHEN CAST(? AS boolean) THEN clock_timestamp() END,
                    unreconciled = ?, lease_until = NULL, updated_at = now()
                  WHERE status = 'running' AND
                  """
                      + THIS_ATTEMPT,
                  binds(
                      key,
                      status.word(),
                      failed ? reason : null,
                      failed ? null : reason,
                      result.schema(),
                      result.table(),
                      result.rows(),
                      result.files(),
                      result.bytes(),
                      result.snapshotId(),
                      reaped,
                      ending == Ending.UNRECONCILED));
          if (changed == 1) {
            EventKind kind = reaped ? EventKind.REAPED : status.event();
            events.append(dsl, SourceJobEvents.Entry.ofAttempt(key, kind, reason, null, null));
            if (ending != Ending.REAPED_TO_START_AGAIN) {
              settle(dsl, key, status, reason);
            }
          }
          return load(dsl, key);
        });
  }

  /**
   * Makes an attempt completed because the lake says that it was published, whatever was stored
   * before. Does nothing to one that is completed.
   *
   * @throws StateException of kind {@code UNKNOWN_ATTEMPT} when it was never opened
   */
  public SourceJob reconcile(AttemptKey key, LivePublication published) {
    return home.write(
        dsl -> {
          JobStatus before = load(dsl, key).status();
          int changed =
              dsl.execute(
                  """
                  UPDATE sluice.source_job SET status = 'completed',
                    finished_at = coalesce(finished_at, clock_timestamp()), latest_error = NULL,
                    reason = NULL, target_schema = ?, target_table = ?, row_count = ?,
                    file_count = ?, byte_count = ?, snapshot_id = ?, lease_until = NULL,
                    reaped_at = NULL, unreconciled = false, updated_at = now()
                  WHERE status <> 'completed' AND
                  """
                      + THIS_ATTEMPT,
                  binds(
                      key,
                      published.schema(),
                      published.table(),
                      published.rows(),
                      published.files(),
                      published.bytes(),
                      published.snapshotId()));
          if (changed == 1 && before == JobStatus.RUNNING) {
            events.append(
                dsl, SourceJobEvents.Entry.ofAttempt(key, EventKind.COMPLETED, null, null, null));
            settle(dsl, key, JobStatus.COMPLETED, null);
          } else if (changed == 1) {
            events.append(
                dsl,
                SourceJobEvents.Entry.ofAttempt(
                    key,
                    EventKind.RECONCILED,
                    "was " + before.word() + ", is published at snapshot " + published.snapshotId(),
                    null,
                    null));
          }
          return load(dsl, key);
        });
  }

  /** Finds one attempt. */
  public Optional<SourceJob> find(AttemptKey key) {
    return home.read(dsl -> find(dsl, key));
  }

  /** The attempts of a source, newest first. */
  public List<SourceJob> history(SourceRef source, int limit) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT * FROM sluice.source_job
                    WHERE team = ? AND environment_id = ? AND schema_id = ?
                    ORDER BY started_at DESC, created_at DESC, opening DESC LIMIT ?
                    """,
                    source.team(),
                    source.team(),
                    source.schemaId(),
                    limit)
                .map(SourceJobs::job));
  }

  /** The newest attempts of all sources, newest first. */
  public List<SourceJob> newest(int limit) {
    return home.read(
        dsl ->
            dsl.fetch("SELECT * FROM sluice.source_job ORDER BY opening DESC LIMIT ?", limit)
                .map(SourceJobs::job));
  }

  /** Every attempt that has not ended, oldest first. */
  public List<SourceJob> running() {
    return home.read(
        dsl ->
            dsl.fetch("SELECT * FROM sluice.source_job WHERE status = 'running' ORDER BY opening")
                .map(SourceJobs::job));
  }

  private void settle(DSLContext dsl, AttemptKey key, JobStatus status, @Nullable String reason) {
    triggers.settle(
        dsl,
        key.path(),
        key.source(),
        key.attempt().attemptId(),
        load(dsl, key).runId(),
        TriggerState.ofWord(status.word()),
        reason);
  }

  private static Optional<Integer> openedBefore(
      DSLContext dsl, AttemptOpening opening, SourceRef source) {
    return dsl.fetchOptional(
            """
            SELECT attempt_number FROM sluice.source_job WHERE team = ? AND schema_id = ?
              AND workflow_type = ? AND attempt_id = ? AND workflow_run_id = ?
            """,
            source.team(),
            source.schemaId(),
            opening.path().word(),
            opening.trigger().attemptId(),
            opening.runId())
        .map(row -> row.get("attempt_number", Integer.class));
  }

  private static int insert(DSLContext dsl, AttemptOpening opening, SourceRef source) {
    RegisterTrigger trigger = opening.trigger();
    Record row =
        dsl.fetchSingle(
            """
            INSERT INTO sluice.source_job (team, environment_id, schema_id, source_job_id,
              attempt_id, attempt_number, workflow_type, status, workflow_id, workflow_run_id,
              namespace, started_at, generation, order_kind, order_value, lake, lease_until)
            SELECT ?, ?, ?, ?, ?, coalesce(max(attempt_number), 0) + 1, ?, 'running', ?, ?, ?,
              CAST(? AS timestamptz), ?, ?, ?, CAST(? AS varchar),
              now() + CAST(? AS bigint) * INTERVAL '1 second'
            FROM sluice.source_job WHERE team = ? AND environment_id = ? AND schema_id = ?
              AND workflow_type = ? AND attempt_id = ?
            RETURNING attempt_number
            """,
            source.team(),
            source.team(),
            source.schemaId(),
            trigger.jobId(),
            trigger.attemptId(),
            opening.path().word(),
            opening.workflowId(),
            opening.runId(),
            opening.namespace(),
            opening.startedAt(),
            trigger.generation().value(),
            trigger.order().kind().word(),
            trigger.order().value(),
            trigger.lake(),
            FIRST_LEASE.toSeconds(),
            source.team(),
            source.team(),
            source.schemaId(),
            opening.path().word(),
            trigger.attemptId());
    return row.get("attempt_number", Integer.class);
  }

  static final String THIS_ATTEMPT =
      "team = ? AND environment_id = ? AND schema_id = ? AND workflow_type = ? AND attempt_id = ?"
          + " AND attempt_number = ?";

  /** The values of a statement that ends with {@link #THIS_ATTEMPT}. */
  static @Nullable Object[] binds(AttemptKey key, @Nullable Object... before) {
    @Nullable Object[] all = new @Nullable Object[before.length + 6];
    System.arraycopy(before, 0, all, 0, before.length);
    int at = before.length;
    all[at++] = key.source().team();
    all[at++] = key.source().team();
    all[at++] = key.source().schemaId();
    all[at++] = key.path().word();
    all[at++] = key.attempt().attemptId();
    all[at] = key.attempt().number();
    return all;
  }

  private static SourceJob load(DSLContext dsl, AttemptKey key) {
    return find(dsl, key).orElseThrow(() -> StateErrors.unknownAttempt(key));
  }

  private static Optional<SourceJob> find(DSLContext dsl, AttemptKey key) {
    return dsl.fetchOptional("SELECT * FROM sluice.source_job WHERE " + THIS_ATTEMPT, binds(key))
        .map(SourceJobs::job);
  }

  /** Reads a row of {@code source_job}. */
  static SourceJob job(Record row) {
    return new SourceJob(
        new AttemptKey(
            Rows.path(row, "workflow_type"),
            new SourceRef(row.get("team", Long.class), row.get("schema_id", String.class)),
            new AttemptRef(
                row.get("attempt_id", String.class), row.get("attempt_number", Integer.class))),
        row.get("opening", Long.class),
        row.get("source_job_id", String.class),
        row.get("generation", String.class),
        Rows.order(row),
        JobStatus.ofWord(row.get("status", String.class)),
        row.get("workflow_id", String.class),
        row.get("workflow_run_id", String.class),
        row.get("namespace", String.class),
        row.get("started_at", Instant.class),
        row.get("finished_at", Instant.class),
        row.get("latest_error", String.class),
        row.get("reason", String.class),
        row.get("lake", String.class),
        row.get("target_schema", String.class),
        row.get("target_table", String.class),
        row.get("snapshot_id", Long.class),
        row.get("row_count", Long.class),
        row.get("file_count", Long.class),
        row.get("byte_count", Long.class),
        row.get("lease_until", Instant.class),
        row.get("checked_at", Instant.class),
        row.get("check_note", String.class),
        row.get("reaped_at", Instant.class),
        Boolean.TRUE.equals(row.get("unreconciled", Boolean.class)),
        row.get("created_at", Instant.class));
  }

  /** Reads the row with this id; ids come from {@code source_status}. */
  static Optional<SourceJob> findById(DSLContext dsl, @Nullable UUID id) {
    return id == null
        ? Optional.empty()
        : dsl.fetchOptional("SELECT * FROM sluice.source_job WHERE id = ?", id)
            .map(SourceJobs::job);
  }
}
