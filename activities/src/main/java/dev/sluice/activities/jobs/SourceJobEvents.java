package dev.sluice.activities.jobs;

import dev.sluice.workflows.activity.WorkflowPath;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * The append-only history: every transition of an attempt and every non-run with its reason. Events
 * are neither changed nor removed. Thread-safe.
 */
public final class SourceJobEvents {
  private final StateDatabase home;
  private final ErrorText text;

  /** Makes the store; reasons pass through the given cleaner. */
  public SourceJobEvents(StateDatabase home, ErrorText text) {
    this.home = Objects.requireNonNull(home, "home");
    this.text = Objects.requireNonNull(text, "text");
  }

  /** Appends an event about a source; every call is an event of its own. */
  public void append(WorkflowPath path, SourceRef source, EventKind kind, @Nullable String reason) {
    home.read(
        dsl -> {
          append(dsl, Entry.about(path, source, kind, reason));
          return kind;
        });
  }

  /** Appends an event about an attempt; a repeated call with the same kind changes nothing. */
  public void append(AttemptKey key, EventKind kind, @Nullable String reason) {
    home.read(
        dsl -> {
          append(dsl, Entry.ofAttempt(key, kind, reason, null, null));
          return kind;
        });
  }

  /** The newest events of a source, newest first. */
  public List<SourceEvent> newest(SourceRef source, int limit) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT * FROM sluice.source_job_event
                    WHERE team = ? AND schema_id = ? ORDER BY id DESC LIMIT ?
                    """,
                    source.team(),
                    source.schemaId(),
                    limit)
                .map(SourceJobEvents::event));
  }

  /** Appends within the caller's transaction. */
  void append(DSLContext dsl, Entry entry) {
    dsl.execute(
        """
        INSERT INTO sluice.source_job_event (team, schema_id, path, kind, attempt_id,
          attempt_number, reason, workflow_id, workflow_run_id, event_key)
        VALUES (?, ?, ?, ?, CAST(? AS varchar), CAST(? AS integer), CAST(? AS varchar),
          CAST(? AS varchar), CAST(? AS varchar), CAST(? AS text))
        ON CONFLICT (event_key) DO NOTHING
        """,
        entry.source.team(),
        entry.source.schemaId(),
        entry.path.word(),
        entry.kind.word(),
        entry.attemptId,
        entry.attemptNumber,
        text.cleanOrNull(entry.reason),
        entry.workflowId,
        entry.runId,
        entry.eventKey());
  }

  private static SourceEvent event(Record row) {
    return new SourceEvent(
        row.get("at", Instant.class),
        Rows.path(row, "path"),
        new SourceRef(row.get("team", Long.class), row.get("schema_id", String.class)),
        EventKind.ofWord(row.get("kind", String.class)),
        row.get("attempt_id", String.class),
        row.get("attempt_number", Integer.class),
        row.get("reason", String.class),
        row.get("workflow_id", String.class),
        row.get("workflow_run_id", String.class));
  }

  /** An event to be written. Without attempt id it has no key, and every call adds one. */
  record Entry(
      WorkflowPath path,
      SourceRef source,
      EventKind kind,
      @Nullable String attemptId,
      @Nullable Integer attemptNumber,
      @Nullable String reason,
      @Nullable String workflowId,
      @Nullable String runId) {

    static Entry about(
        WorkflowPath path, SourceRef source, EventKind kind, @Nullable String reason) {
      return new Entry(path, source, kind, null, null, reason, null, null);
    }

    static Entry ofAttempt(
        AttemptKey key,
        EventKind kind,
        @Nullable String reason,
        @Nullable String workflowId,
        @Nullable String runId) {
      return new Entry(
          key.path(),
          key.source(),
          kind,
          key.attempt().attemptId(),
          key.attempt().number(),
          reason,
          workflowId,
          runId);
    }

    @Nullable String eventKey() {
      if (attemptId == null) {
        return null;
      }
      // A numbered attempt has one event of a kind; a trigger has one of a kind per run.
      String once = attemptNumber == null ? "run " + runId : "number " + attemptNumber;
      return String.join(
          "/",
          path.word(),
          Long.toString(source.team()),
          source.schemaId(),
          attemptId,
          once,
          kind.word());
    }
  }
}
