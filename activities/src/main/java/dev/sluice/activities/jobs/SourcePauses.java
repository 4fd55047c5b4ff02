package dev.sluice.activities.jobs;

import dev.sluice.workflows.activity.WorkflowPath;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sources that are held where they are: their gate is closed until they are resumed, each with an
 * event of its own. Thread-safe, also across processes.
 */
public final class SourcePauses {
  private static final String REASON = "source is paused since ";

  private final StateDatabase home;
  private final SourceJobEvents events;
  private final ErrorText text;

  /** Makes the store; reasons pass through the given cleaner. */
  public SourcePauses(StateDatabase home, SourceJobEvents events, ErrorText text) {
    this.home = Objects.requireNonNull(home, "home");
    this.events = Objects.requireNonNull(events, "events");
    this.text = Objects.requireNonNull(text, "text");
  }

  /**
   * A source that is held.
   *
   * @param pausedAt since when
   * @param reason what for; null when nobody said
   */
  public record Pause(Instant pausedAt, @Nullable String reason) {

    /** Why nothing is brought in, in a sentence. */
    public String sentence() {
      return REASON + pausedAt + because();
    }

    /** The same of a pause that has ended. */
    public String pastSentence() {
      return "it was paused since " + pausedAt + because();
    }

    private String because() {
      return reason == null ? "" : ": " + reason;
    }
  }

  /** Whether a trigger was skipped because its source was held. */
  public static boolean isCause(@Nullable String skippedReason) {
    return skippedReason != null && skippedReason.contains(REASON);
  }

  /**
   * Holds a source. One that is held already stays so, with its first reason.
   *
   * @return the pause that is in force now
   */
  public Pause pause(SourceRef source, @Nullable String reason) {
    return home.write(
        dsl -> {
          int held =
              dsl.execute(
                  """
                  INSERT INTO sluice.source_pause (team, schema_id, reason)
                  VALUES (?, ?, CAST(? AS text)) ON CONFLICT (team, schema_id) DO NOTHING
                  """,
                  source.team(),
                  source.schemaId(),
                  text.cleanOrNull(reason));
          if (held == 1) {
            events.append(
                dsl,
                SourceJobEvents.Entry.about(path(dsl, source), source, EventKind.PAUSED, reason));
          }
          return find(dsl, source).orElseThrow();
        });
  }

  /**
   * Lets a source go on.
   *
   * @return the pause that ended; empty when it was not held
   */
  public Optional<Pause> resume(SourceRef source) {
    return home.write(
        dsl -> {
          Optional<Pause> before = find(dsl, source);
          int ended =
              dsl.execute(
                  "DELETE FROM sluice.source_pause WHERE team = ? AND schema_id = ?",
                  source.team(),
                  source.schemaId());
          if (ended == 0) {
            return Optional.empty();
          }
          events.append(
              dsl,
              SourceJobEvents.Entry.about(
                  path(dsl, source),
                  source,
                  EventKind.RESUMED,
                  before.map(Pause::pastSentence).orElse(null)));
          return before;
        });
  }

  /** Finds the pause of a source. */
  public Optional<Pause> find(SourceRef source) {
    return home.read(dsl -> find(dsl, source));
  }

  /** The path by which the source was brought in last. */
  private static WorkflowPath path(DSLContext dsl, SourceRef source) {
    return dsl.fetchOptional(
            """
            SELECT workflow_type FROM sluice.source_job
            WHERE team = ? AND environment_id = ? AND schema_id = ?
            ORDER BY started_at DESC, created_at DESC, opening DESC LIMIT 1
            """,
            source.team(),
            source.team(),
            source.schemaId())
        .map(row -> Rows.path(row, "workflow_type"))
        .orElse(WorkflowPath.REGISTER);
  }

  private static Optional<Pause> find(DSLContext dsl, SourceRef source) {
    return dsl.fetchOptional(
            "SELECT * FROM sluice.source_pause WHERE team = ? AND schema_id = ?",
            source.team(),
            source.schemaId())
        .map(
            row -> new Pause(row.get("paused_at", Instant.class), row.get("reason", String.class)));
  }
}
