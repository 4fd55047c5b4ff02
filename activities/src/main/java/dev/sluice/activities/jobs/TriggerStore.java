package dev.sluice.activities.jobs;

import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.TriggerRules;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Every trigger, written down before it is acknowledged, with what became of it. One row per path,
 * source and attempt id; of a source's triggers at most one is pending, the newest by producer
 * order. Every call is one transaction and safe to repeat. Thread-safe, also across processes.
 */
public final class TriggerStore {
  private final StateDatabase home;
  private final SourceJobEvents events;
  private final ErrorText text;

  /** Makes the store; reasons pass through the given cleaner. */
  public TriggerStore(StateDatabase home, SourceJobEvents events, ErrorText text) {
    this.home = Objects.requireNonNull(home, "home");
    this.events = Objects.requireNonNull(events, "events");
    this.text = Objects.requireNonNull(text, "text");
  }

  /**
   * Writes a trigger down. What is stored can differ from what was asked: an older trigger does not
   * take the slot from a newer one (it is superseded at once; the later arrival wins a tie), what
   * already runs or waits in the same run is not asked for again (a duplicate), and an order of
   * another kind than the source's earlier ones is refused. Every outcome but running and pending
   * appends an event with its reason. A trigger that cannot be taken at all, malformed or of
   * nobody's source, leaves its event and nothing else.
   *
   * @return what became of this call, and why where that is not what was asked
   */
  public TriggerReceipt record(TriggerRecord asked) {
    return home.write(
        dsl -> {
          SourceRef source = sourceOf(asked.trigger());
          Rows.lock(dsl, "trigger", asked.path(), source);
          Optional<String> refusal = TriggerAdmission.refusal(dsl, asked.trigger());
          if (refusal.isPresent()) {
            return refuse(dsl, asked, refusal.get());
          }
          if (asked.path() == WorkflowPath.MODEL) {
            Provisioning.put(dsl, asked.trigger());
          }
          if (isOfALaterRun(dsl, source, asked)) {
            return new TriggerReceipt(
                TriggerDisposition.DUPLICATE, "a later run has taken the trigger up");
          }
          return decide(dsl, source, asked);
        });
  }

  /** Only an event: the texts of what cannot be taken need not even fit into a row. */
  private TriggerReceipt refuse(DSLContext dsl, TriggerRecord asked, String reason) {
    RegisterTrigger trigger = asked.trigger();
    events.append(
        dsl,
        new SourceJobEvents.Entry(
            asked.path(),
            new SourceRef(
                trigger.team(),
                TriggerAdmission.fit(trigger.sourceSchemaId(), TriggerRules.MAX_SOURCE_ID)),
            EventKind.REFUSED,
            TriggerAdmission.fit(trigger.attemptId(), TriggerRules.MAX_ATTEMPT_ID),
            null,
            reason,
            TriggerAdmission.fit(asked.workflowId(), TriggerRules.MAX_JOB_ID),
            asked.runId()));
    return new TriggerReceipt(TriggerDisposition.REFUSED, reason);
  }

  /**
   * Gives a trigger the outcome of its attempt. Does nothing for a trigger that neither runs nor
   * waits, or that another run has taken up since, so that a late writer does not overwrite what
   * became of it.
   */
  public void settle(
      WorkflowPath path,
      SourceRef source,
      String attemptId,
      String runId,
      RegisterStatus status,
      @Nullable String reason) {
    home.write(dsl -> settle(dsl, path, source, attemptId, runId, TriggerState.of(status), reason));
  }

  /** Settles within the caller's transaction. */
  int settle(
      DSLContext dsl,
      WorkflowPath path,
      SourceRef source,
      String attemptId,
      @Nullable String runId,
      TriggerState state,
      @Nullable String reason) {
    return dsl.execute(
        """
        UPDATE sluice.trigger SET state = ?, reason = CAST(? AS varchar), updated_at = now()
        WHERE path = ? AND team = ? AND schema_id = ? AND attempt_id = ?
          AND workflow_run_id = ? AND state IN ('running', 'pending')
        """,
        state.word(),
        text.cleanOrNull(reason),
        path.word(),
        source.team(),
        source.schemaId(),
        attemptId,
        runId);
  }

  /** Finds what waits in the slot of a source. */
  public Optional<StoredTrigger> findPending(WorkflowPath path, SourceRef source) {
    return home.read(dsl -> pendingIn(dsl, path, source));
  }

  /**
   * Finds what waits in the slots of a source, whatever the path; the newest arrival of several.
   */
  public Optional<StoredTrigger> findPending(SourceRef source) {
    return home.read(
        dsl ->
            dsl.fetchOptional(
                    """
                    SELECT * FROM sluice.trigger
                    WHERE team = ? AND schema_id = ? AND state = 'pending'
                    ORDER BY received_at DESC LIMIT 1
                    """,
                    source.team(),
                    source.schemaId())
                .map(TriggerStore::stored));
  }

  /** Finds one trigger. */
  public Optional<StoredTrigger> find(WorkflowPath path, SourceRef source, String attemptId) {
    return home.read(dsl -> existing(dsl, path, source, attemptId));
  }

  /** When a generation was first asked for with this order; empty when it never was. */
  public Optional<Instant> firstArrival(
      WorkflowPath path, SourceRef source, String generation, ProducerOrder order) {
    return home.read(
        dsl ->
            dsl.fetchOptional(
                    """
                    SELECT min(received_at) AS first FROM sluice.trigger
                    WHERE path = ? AND team = ? AND schema_id = ? AND generation = ?
                      AND order_kind = ? AND order_value = ?
                    """,
                    path.word(),
                    source.team(),
                    source.schemaId(),
                    generation,
                    order.kind().word(),
                    order.value())
                .map(row -> row.get("first", Instant.class)));
  }

  /** The newest triggers of a source by producer order, newest first. */
  public List<StoredTrigger> newest(SourceRef source, int limit) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT * FROM sluice.trigger WHERE team = ? AND schema_id = ?
                    ORDER BY order_value DESC, received_at DESC LIMIT ?
                    """,
                    source.team(),
                    source.schemaId(),
                    limit)
                .map(TriggerStore::stored));
  }

  private TriggerReceipt decide(DSLContext dsl, SourceRef source, TriggerRecord asked) {
    String attemptId = asked.trigger().attemptId();
    Optional<StoredTrigger> same = existing(dsl, asked.path(), source, attemptId);
    Optional<String> otherKind =
        kindOfOthers(dsl, asked, source)
            .map(kind -> StateErrors.orderKindReason(asked.trigger().order(), kind));
    return switch (asked.disposition()) {
      case RUNNING ->
          otherKind.isPresent()
              ? end(dsl, source, asked, TriggerDisposition.REFUSED, otherKind.get())
              : take(dsl, source, asked);
      case PENDING -> {
        if (same.filter(held -> runsAlready(held, asked)).isPresent()) {
          yield note(
              dsl, source, asked, TriggerDisposition.DUPLICATE, "its generation runs already");
        }
        yield otherKind.isPresent()
            ? end(dsl, source, asked, TriggerDisposition.REFUSED, otherKind.get())
            : queue(dsl, source, asked, same);
      }
      // What is refused or asked for twice must not disturb what stands under the same id.
      case DUPLICATE, REFUSED ->
          same.isPresent()
              ? note(dsl, source, asked, asked.disposition(), asked.reason())
              : end(dsl, source, asked, asked.disposition(), asked.reason());
      case SUPERSEDED, SKIPPED -> end(dsl, source, asked, asked.disposition(), asked.reason());
    };
  }

  private static boolean runsAlready(StoredTrigger held, TriggerRecord asked) {
    return held.state() == TriggerState.RUNNING
        && held.runId().equals(asked.runId())
        && !asked.trigger().order().isNewerThan(held.trigger().order());
  }

  /**
   * Arrival breaks ties, and that is the first arrival: otherwise two triggers of one order that
   * are delivered again and again would take the slot from each other for ever.
   */
  private static boolean isDeliveredAgain(
      Optional<StoredTrigger> same, TriggerRecord asked, StoredTrigger other) {
    return same.filter(before -> before.trigger().order().equals(asked.trigger().order()))
        .filter(before -> before.trigger().order().equals(other.trigger().order()))
        .filter(before -> before.receivedAt().isBefore(other.receivedAt()))
        .isPresent();
  }

  private TriggerReceipt take(DSLContext dsl, SourceRef source, TriggerRecord asked) {
    upsert(dsl, source, asked, TriggerState.RUNNING, null);
    return TriggerReceipt.asAsked(asked);
  }

  private TriggerReceipt queue(
      DSLContext dsl, SourceRef source, TriggerRecord asked, Optional<StoredTrigger> same) {
    Optional<StoredTrigger> waiting =
        pendingIn(dsl, asked.path(), source)
            .filter(other -> !other.trigger().attemptId().equals(asked.trigger().attemptId()));
    if (waiting.isPresent()) {
      StoredTrigger other = waiting.get();
      if (other.trigger().order().isNewerThan(asked.trigger().order())
          || isDeliveredAgain(same, asked, other)) {
        return end(
            dsl, source, asked, TriggerDisposition.SUPERSEDED, supersededBy(other.trigger()));
      }
      TriggerRecord loser =
          new TriggerRecord(
              other.path(),
              other.trigger(),
              TriggerDisposition.SUPERSEDED,
              supersededBy(asked.trigger()),
              other.workflowId(),
              other.runId(),
              other.namespace(),
              asked.runStartedAt());
      end(dsl, source, loser, TriggerDisposition.SUPERSEDED, loser.reason());
    }
    upsert(dsl, source, asked, TriggerState.PENDING, null);
    return TriggerReceipt.asAsked(asked);
  }

  /** Stores an outcome that is none of an attempt's, with its event. */
  private TriggerReceipt end(
      DSLContext dsl,
      SourceRef source,
      TriggerRecord asked,
      TriggerDisposition outcome,
      @Nullable String reason) {
    upsert(dsl, source, asked, TriggerState.of(outcome), reason);
    return note(dsl, source, asked, outcome, reason);
  }

  /** Appends the event of an outcome and leaves the trigger's row alone. */
  private TriggerReceipt note(
      DSLContext dsl,
      SourceRef source,
      TriggerRecord asked,
      TriggerDisposition outcome,
      @Nullable String reason) {
    EventKind kind =
        switch (outcome) {
          case RUNNING, PENDING -> EventKind.RUNNING;
          case SUPERSEDED -> EventKind.SUPERSEDED;
          case DUPLICATE -> EventKind.DUPLICATE;
          case SKIPPED -> EventKind.GATE_CLOSED;
          case REFUSED -> EventKind.REFUSED;
        };
    events.append(
        dsl,
        new SourceJobEvents.Entry(
            asked.path(),
            source,
            kind,
            asked.trigger().attemptId(),
            null,
            reason,
            asked.workflowId(),
            asked.runId()));
    return new TriggerReceipt(outcome, reason);
  }

  private void upsert(
      DSLContext dsl,
      SourceRef source,
      TriggerRecord asked,
      TriggerState state,
      @Nullable String reason) {
    RegisterTrigger trigger = asked.trigger();
    dsl.execute(
        """
        INSERT INTO sluice.trigger (path, team, schema_id, attempt_id, source_job_id, generation,
          order_kind, order_value, source_type, prefix, source_table, prepared_folder, lake,
          options, state, reason, workflow_id, workflow_run_id, namespace, run_started_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(? AS text), ?, ?, CAST(? AS varchar),
          CAST(? AS text), ?, CAST(? AS varchar), ?, ?, ?, CAST(? AS timestamptz))
        ON CONFLICT (path, team, schema_id, attempt_id) DO UPDATE SET
          order_kind = excluded.order_kind, order_value = excluded.order_value,
          source_type = excluded.source_type, prefix = excluded.prefix,
          source_table = excluded.source_table, prepared_folder = excluded.prepared_folder,
          lake = excluded.lake, options = excluded.options, state = excluded.state,
          reason = excluded.reason, workflow_id = excluded.workflow_id,
          workflow_run_id = excluded.workflow_run_id, namespace = excluded.namespace,
          run_started_at = excluded.run_started_at, updated_at = now()
        """,
        asked.path().word(),
        source.team(),
        source.schemaId(),
        trigger.attemptId(),
        trigger.jobId(),
        trigger.generation().value(),
        trigger.order().kind().word(),
        trigger.order().value(),
        trigger.sourceType(),
        trigger.prefix(),
        trigger.table(),
        trigger.preparedFolder(),
        trigger.lake(),
        trigger.options(),
        state.word(),
        text.cleanOrNull(reason),
        asked.workflowId(),
        asked.runId(),
        asked.namespace(),
        asked.runStartedAt());
  }

  /** An activity of a run that has ended may be late; what a later run has written stays. */
  private static boolean isOfALaterRun(DSLContext dsl, SourceRef source, TriggerRecord asked) {
    return dsl.fetchOptional(
            """
            SELECT 1 FROM sluice.trigger
            WHERE path = ? AND team = ? AND schema_id = ? AND attempt_id = ?
              AND workflow_run_id <> ? AND run_started_at > CAST(? AS timestamptz)
            """,
            asked.path().word(),
            source.team(),
            source.schemaId(),
            asked.trigger().attemptId(),
            asked.runId(),
            asked.runStartedAt())
        .isPresent();
  }

  private static Optional<StoredTrigger> existing(
      DSLContext dsl, WorkflowPath path, SourceRef source, String attemptId) {
    return dsl.fetchOptional(
            """
            SELECT * FROM sluice.trigger
            WHERE path = ? AND team = ? AND schema_id = ? AND attempt_id = ?
            """,
            path.word(),
            source.team(),
            source.schemaId(),
            attemptId)
        .map(TriggerStore::stored);
  }

  private static Optional<StoredTrigger> pendingIn(
      DSLContext dsl, WorkflowPath path, SourceRef source) {
    return dsl.fetchOptional(
            """
            SELECT * FROM sluice.trigger
            WHERE path = ? AND team = ? AND schema_id = ? AND state = 'pending'
            """,
            path.word(),
            source.team(),
            source.schemaId())
        .map(TriggerStore::stored);
  }

  /** The kind of order the source has used so far, where it differs from the one asked. */
  private static Optional<String> kindOfOthers(
      DSLContext dsl, TriggerRecord asked, SourceRef source) {
    return dsl.fetchOptional(
            """
            SELECT order_kind FROM sluice.trigger
            WHERE path = ? AND team = ? AND schema_id = ? AND attempt_id <> ?
              AND state <> 'refused'
            ORDER BY updated_at DESC LIMIT 1
            """,
            asked.path().word(),
            source.team(),
            source.schemaId(),
            asked.trigger().attemptId())
        .map(row -> row.get("order_kind", String.class))
        .filter(kind -> !kind.equals(asked.trigger().order().kind().word()));
  }

  private static String supersededBy(RegisterTrigger winner) {
    return "a newer generation waits: "
        + winner.generation()
        + " of job "
        + winner.jobId()
        + ", order "
        + winner.order();
  }

  static SourceRef sourceOf(RegisterTrigger trigger) {
    return new SourceRef(trigger.team(), trigger.sourceSchemaId());
  }

  static StoredTrigger stored(Record row) {
    ProducerOrder order = Rows.order(row);
    WorkflowPath path = Rows.path(row, "path");
    return new StoredTrigger(
        path,
        new RegisterTrigger(
            row.get("team", Long.class),
            row.get("source_job_id", String.class),
            row.get("schema_id", String.class),
            row.get("source_type", String.class),
            row.get("prefix", String.class),
            row.get("source_table", String.class),
            row.get("prepared_folder", String.class),
            order,
            row.get("lake", String.class),
            row.get("options", String.class),
            path,
            path != WorkflowPath.REGISTER ? order.findDeltaVersion().orElse(null) : null),
        TriggerState.ofWord(row.get("state", String.class)),
        row.get("reason", String.class),
        row.get("workflow_id", String.class),
        row.get("workflow_run_id", String.class),
        row.get("namespace", String.class),
        row.get("received_at", Instant.class),
        row.get("updated_at", Instant.class));
  }
}
