package dev.sluice.activities.jobs;

import dev.sluice.workflows.activity.WorkflowPath;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * The renames of teams' tables, as the home database knows them. From {@link #begin} to {@link
 * #finish} or {@link #abandon} no attempt of the team claims a name, and the new names are
 * reserved. Every call is one transaction and safe to repeat. Thread-safe, also across processes.
 */
public final class TableRenames {
  private final StateDatabase home;
  private final SourceJobEvents events;

  /** Makes the store. */
  public TableRenames(StateDatabase home, SourceJobEvents events) {
    this.home = Objects.requireNonNull(home, "home");
    this.events = Objects.requireNonNull(events, "events");
  }

  /**
   * What is to be renamed.
   *
   * @param team the team as the plan found it
   * @param toPolicy id of the naming policy it shall have
   * @param undoes the rename that this one takes back; null when it takes none back
   * @param names the team's tables as the plan found them, all of them
   * @param items those whose names change
   */
  public record Request(
      Provisioning.Team team,
      String toPolicy,
      @Nullable Long undoes,
      List<TableNames.Assigned> names,
      List<TableRename.Item> items) {

    /** Copies the lists. */
    public Request {
      names = List.copyOf(names);
      items = List.copyOf(items);
    }
  }

  /**
   * Writes a rename down.
   *
   * @throws StateException of kind {@code IN_USE} when the team is not as the plan found it, or one
   *     of the sources has an attempt that has not ended; {@code NAME_TAKEN} when a new name
   *     belongs to a source whose table keeps it; {@code UNAVAILABLE} when another rename is
   *     unfinished. Nothing is written then
   */
  public TableRename begin(Request request) {
    Provisioning.Team team = request.team();
    return home.write(
        dsl -> {
          requireAsPlanned(dsl, request);
          requireQuiet(dsl, request);
          // No name is assigned between the check and the end of this transaction.
          dsl.execute("LOCK TABLE sluice.table_name IN SHARE ROW EXCLUSIVE MODE");
          requireFree(dsl, request);
          long id =
              dsl.fetchSingle(
                      """
                      INSERT INTO sluice.table_rename (team, lake, from_policy, to_policy, undoes,
                        opening, state)
                      SELECT ?, ?, ?, ?, CAST(? AS bigint), coalesce(max(opening), 0), 'applying'
                      FROM sluice.source_job
                      RETURNING id
                      """,
                      team.id(),
                      team.lake(),
                      team.namingVersion(),
                      request.toPolicy(),
                      request.undoes())
                  .get("id", Long.class);
          for (TableRename.Item item : request.items()) {
            dsl.execute(
                "INSERT INTO sluice.table_rename_item VALUES (?, ?, ?, ?, ?)",
                id,
                item.schemaId(),
                item.schema(),
                item.oldName(),
                item.newName());
          }
          return load(dsl, id);
        });
  }

  private static void requireAsPlanned(DSLContext dsl, Request request) {
    Provisioning.Team team = request.team();
    Record stored =
        dsl.fetchOptional("SELECT * FROM sluice.team WHERE id = ? FOR UPDATE", team.id())
            .orElseThrow(() -> StateErrors.teamNotProvisioned(team.id()));
    findApplying(dsl, team.id())
        .ifPresent(
            rename -> {
              throw StateErrors.renaming(rename);
            });
    if (!stored.get("naming_version", String.class).equals(team.namingVersion())
        || !TableNames.ofTeam(dsl, team.id()).equals(request.names())) {
      throw StateErrors.namesMoved(team.id());
    }
  }

  private static void requireQuiet(DSLContext dsl, Request request) {
    List<String> ids = request.items().stream().map(TableRename.Item::schemaId).toList();
    List<String> running =
        dsl
            .fetch(
                "SELECT * FROM sluice.source_job WHERE status = 'running' AND team = ?"
                    + " ORDER BY opening",
                request.team().id())
            .map(SourceJobs::job)
            .stream()
            .filter(job -> ids.contains(job.key().source().schemaId()))
            .map(job -> job.key().toString())
            .toList();
    if (!running.isEmpty()) {
      throw StateErrors.attemptsRun(request.team().id(), running);
    }
  }

  private static void requireFree(DSLContext dsl, Request request) {
    List<String> moving = request.items().stream().map(TableRename.Item::schemaId).toList();
    Map<String, SourceRef> given = new HashMap<>();
    for (TableRename.Item item : request.items()) {
      Target target = new Target(request.team().lake(), item.schema(), item.newName());
      SourceRef source = new SourceRef(request.team().id(), item.schemaId());
      SourceRef other = given.put(target.toString().toLowerCase(Locale.ROOT), source);
      if (other != null) {
        throw StateErrors.nameTaken(target, other, source);
      }
      TableNames.byTarget(dsl, target)
          .map(TableNames.Assigned::source)
          .filter(
              owner -> owner.team() != request.team().id() || !moving.contains(owner.schemaId()))
          .ifPresent(
              owner -> {
                throw StateErrors.nameTaken(target, owner, source);
              });
    }
  }

  /**
   * Gives the sources their new names and the team its new policy, with an event for each source.
   *
   * @param snapshotId the snapshot that renamed the tables; null when none of them existed
   */
  public TableRename finish(long id, @Nullable Long snapshotId) {
    return home.write(
        dsl -> {
          TableRename rename = lock(dsl, id);
          if (rename.state() != TableRename.State.APPLYING) {
            return rename;
          }
          dsl.execute(
              "UPDATE sluice.team SET naming_version = ?, updated_at = now() WHERE id = ?",
              rename.toPolicy(),
              rename.team());
          moveNames(dsl, rename);
          dsl.execute(
              "UPDATE sluice.table_name SET naming_version = ? WHERE team = ?",
              rename.toPolicy(),
              rename.team());
          close(dsl, id, TableRename.State.DONE, null, snapshotId);
          for (TableRename.Item item : rename.items()) {
            events.append(
                dsl,
                SourceJobEvents.Entry.about(
                    WorkflowPath.REGISTER,
                    new SourceRef(rename.team(), item.schemaId()),
                    EventKind.RENAMED,
                    "%s.%s is %s.%s now, by naming policy %s%s"
                        .formatted(
                            item.schema(),
                            item.oldName(),
                            item.schema(),
                            item.newName(),
                            rename.toPolicy(),
                            snapshotId == null ? "" : ", at snapshot " + snapshotId)));
          }
          return load(dsl, id);
        });
  }

  /** A name may be another's until that one has moved as well, so nobody has any in between. */
  private static void moveNames(DSLContext dsl, TableRename rename) {
    Map<String, Record> rows = new HashMap<>();
    for (TableRename.Item item : rename.items()) {
      rows.put(
          item.schemaId(),
          dsl.fetchSingle(
              "DELETE FROM sluice.table_name WHERE team = ? AND schema_id = ? RETURNING *",
              rename.team(),
              item.schemaId()));
    }
    for (TableRename.Item item : rename.items()) {
      dsl.execute(
          """
          INSERT INTO sluice.table_name (lake, schema_name, table_name, team, schema_id,
            naming_version, assigned_at)
          VALUES (?, ?, ?, ?, ?, ?, CAST(? AS timestamptz))
          """,
          rename.lake(),
          item.schema(),
          item.newName(),
          rename.team(),
          item.schemaId(),
          rename.toPolicy(),
          Objects.requireNonNull(rows.get(item.schemaId())).get("assigned_at", Instant.class));
    }
  }

  /** Gives a rename up that the lake has refused: nothing of it took place. */
  public TableRename abandon(long id, String reason) {
    return home.write(
        dsl -> {
          if (lock(dsl, id).state() == TableRename.State.APPLYING) {
            close(
                dsl,
                id,
                TableRename.State.ABANDONED,
                ErrorText.withoutKnownSecrets().clean(reason),
                null);
          }
          return load(dsl, id);
        });
  }

  /** Finds the rename of a team that is not finished. */
  public Optional<TableRename> findApplying(long team) {
    return home.read(dsl -> findApplying(dsl, team));
  }

  /** Finds the newest rename of a team that took place. */
  public Optional<TableRename> findNewest(long team) {
    return home.read(
        dsl ->
            dsl.fetchOptional(
                    "SELECT * FROM sluice.table_rename WHERE team = ? AND state = 'done'"
                        + " ORDER BY id DESC LIMIT 1",
                    team)
                .map(row -> ofRow(dsl, row)));
  }

  /**
   * Finds what a table that once had this name was renamed to; the newest rename counts.
   *
   * @return the qualified names, one for each lake that had such a table
   */
  public List<String> namesSince(String schema, String oldName) {
    return home.read(
        dsl ->
            dsl.fetch(
                    """
                    SELECT DISTINCT name.schema_name || '.' || name.table_name AS since
                    FROM sluice.table_rename_item AS item
                      JOIN sluice.table_rename AS rename
                        ON rename.id = item.rename_id AND rename.state = 'done'
                      JOIN sluice.table_name AS name
                        ON name.team = rename.team AND name.schema_id = item.schema_id
                    WHERE item.schema_name = ? AND item.old_name = ?
                    ORDER BY 1
                    """,
                    schema,
                    oldName)
                .map(row -> row.get("since", String.class)));
  }

  static Optional<TableRename> findApplying(DSLContext dsl, long team) {
    return dsl.fetchOptional(
            "SELECT * FROM sluice.table_rename WHERE team = ? AND state = 'applying'", team)
        .map(row -> ofRow(dsl, row));
  }

  /** The unfinished rename that gives a table this name. */
  static Optional<TableRename> findReserving(DSLContext dsl, Target target) {
    return dsl.fetchOptional(
            """
            SELECT rename.* FROM sluice.table_rename AS rename
              JOIN sluice.table_rename_item AS item ON item.rename_id = rename.id
            WHERE rename.state = 'applying' AND rename.lake = ?
              AND lower(item.schema_name COLLATE "C") = lower(? COLLATE "C")
              AND lower(item.new_name COLLATE "C") = lower(? COLLATE "C")
            LIMIT 1
            """,
            target.lake(),
            target.schema(),
            target.table())
        .map(row -> ofRow(dsl, row));
  }

  private static TableRename lock(DSLContext dsl, long id) {
    TableRename rename = load(dsl, id);
    dsl.fetch("SELECT 1 FROM sluice.team WHERE id = ? FOR UPDATE", rename.team());
    return load(dsl, id);
  }

  private static void close(
      DSLContext dsl,
      long id,
      TableRename.State state,
      @Nullable String reason,
      @Nullable Long snapshotId) {
    dsl.execute(
        "UPDATE sluice.table_rename SET state = ?, reason = CAST(? AS varchar),"
            + " snapshot_id = CAST(? AS bigint), finished_at = clock_timestamp() WHERE id = ?",
        state.word(),
        reason,
        snapshotId,
        id);
  }

  private static TableRename load(DSLContext dsl, long id) {
    return ofRow(dsl, dsl.fetchSingle("SELECT * FROM sluice.table_rename WHERE id = ?", id));
  }

  private static TableRename ofRow(DSLContext dsl, Record row) {
    long id = row.get("id", Long.class);
    return new TableRename(
        id,
        row.get("team", Long.class),
        row.get("lake", String.class),
        row.get("from_policy", String.class),
        row.get("to_policy", String.class),
        row.get("undoes", Long.class),
        row.get("opening", Long.class),
        TableRename.State.valueOf(row.get("state", String.class).toUpperCase(Locale.ROOT)),
        row.get("reason", String.class),
        row.get("snapshot_id", Long.class),
        row.get("begun_at", Instant.class),
        row.get("finished_at", Instant.class),
        dsl.fetch(
                "SELECT * FROM sluice.table_rename_item WHERE rename_id = ?"
                    + " ORDER BY schema_name, old_name",
                id)
            .map(
                item ->
                    new TableRename.Item(
                        item.get("schema_id", String.class),
                        item.get("schema_name", String.class),
                        item.get("old_name", String.class),
                        item.get("new_name", String.class))));
  }
}
