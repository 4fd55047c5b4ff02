package dev.sluice.activities.jobs;

import dev.sluice.catalog.commit.Attachment;
import dev.sluice.catalog.commit.RowStatement;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * The truth about what is live in a lake. It is written by the commit that publishes ({@link
 * PublicationRecord}) and can be read anywhere. Stateless.
 */
public final class Publications {
  private static final String TARGET = "lake = ? AND schema_name = ? AND table_name = ?";

  private static final RowStatement INSERT =
      RowStatement.insert(
          "sluice",
          "publication",
          List.of(
              "lake",
              "schema_name",
              "table_name",
              "snapshot_id",
              "table_id",
              "path",
              "team",
              "source_schema_id",
              "source_job_id",
              "generation",
              "order_kind",
              "order_value",
              "attempt_id",
              "attempt_number",
              "row_count",
              "file_count",
              "byte_count",
              "restores",
              "replaced",
              "published_at"),
          "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::bigint, ?::varchar, now())");

  private Publications() {}

  /** Has a publication written with a commit; its target has no other at that snapshot. */
  static void add(Attachment.Rows rows, Publication publication) {
    Target target = publication.target();
    AttemptKey attempt = publication.attempt();
    rows.add(
        INSERT,
        target.lake(),
        target.schema(),
        target.table(),
        publication.snapshotId(),
        publication.tableId(),
        attempt.path().word(),
        attempt.source().team(),
        attempt.source().schemaId(),
        publication.sourceJobId(),
        publication.generation(),
        publication.order().kind().word(),
        publication.order().value(),
        attempt.attempt().attemptId(),
        attempt.attempt().number(),
        publication.rows(),
        publication.files(),
        publication.bytes(),
        publication.restores(),
        publication.replaced());
  }

  /** Finds what is live under a stable name; empty before the first publication. */
  public static Optional<Publication> findLive(DSLContext dsl, Target target) {
    return dsl.fetchOptional(
            "SELECT * FROM sluice.publication WHERE "
                + TARGET
                + " ORDER BY snapshot_id DESC LIMIT 1",
            target.lake(),
            target.schema(),
            target.table())
        .map(Publications::publication);
  }

  /** Everything ever published under a stable name, newest first. */
  public static List<Publication> history(DSLContext dsl, Target target) {
    return dsl.fetch(
            "SELECT * FROM sluice.publication WHERE " + TARGET + " ORDER BY snapshot_id DESC",
            target.lake(),
            target.schema(),
            target.table())
        .map(Publications::publication);
  }

  /** What is live under every stable name of a lake. */
  public static List<Publication> allLive(DSLContext dsl, String lake) {
    return dsl.fetch(
            """
            SELECT DISTINCT ON (schema_name, table_name) * FROM sluice.publication
            WHERE lake = ? ORDER BY schema_name, table_name, snapshot_id DESC
            """,
            lake)
        .map(Publications::publication);
  }

  /** Finds the newest publication made by exactly this attempt. */
  public static Optional<Publication> findByAttempt(
      DSLContext dsl, String lake, AttemptKey attempt) {
    return dsl.fetchOptional(
            """
            SELECT * FROM sluice.publication WHERE lake = ? AND team = ? AND source_schema_id = ?
              AND attempt_id = ? AND path = ? AND attempt_number = ?
            ORDER BY snapshot_id DESC LIMIT 1
            """,
            lake,
            attempt.source().team(),
            attempt.source().schemaId(),
            attempt.attempt().attemptId(),
            attempt.path().word(),
            attempt.attempt().number())
        .map(Publications::publication);
  }

  /** Finds the newest publication of an attempt id, whatever the number of the attempt. */
  public static Optional<Publication> findByAttemptId(
      DSLContext dsl, String lake, WorkflowPath path, SourceRef source, String attemptId) {
    return dsl.fetchOptional(
            """
            SELECT * FROM sluice.publication WHERE lake = ? AND team = ? AND source_schema_id = ?
              AND attempt_id = ? AND path = ? ORDER BY snapshot_id DESC LIMIT 1
            """,
            lake,
            source.team(),
            source.schemaId(),
            attemptId,
            path.word())
        .map(Publications::publication);
  }

  private static Publication publication(Record row) {
    return new Publication(
        new Target(
            row.get("lake", String.class),
            row.get("schema_name", String.class),
            row.get("table_name", String.class)),
        row.get("snapshot_id", Long.class),
        row.get("table_id", Long.class),
        new AttemptKey(
            Rows.path(row, "path"),
            new SourceRef(row.get("team", Long.class), row.get("source_schema_id", String.class)),
            new AttemptRef(
                row.get("attempt_id", String.class), row.get("attempt_number", Integer.class))),
        row.get("source_job_id", String.class),
        row.get("generation", String.class),
        Rows.order(row),
        row.get("row_count", Long.class),
        row.get("file_count", Long.class),
        row.get("byte_count", Long.class),
        row.get("restores", Long.class),
        row.get("replaced", String.class));
  }
}
