package dev.sluice.catalog.commit;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.TableDraft.Content;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;

/**
 * One request inside a transaction that holds the lake's lock, on top of the newest snapshot:
 * checks conflicts, applies the changes in memory and says what is to be written. Used once.
 */
final class CommitAttempt {

  private static final List<String> CHANGES =
      List.of("snapshot_id", "changes_made", "author", "commit_message", "commit_extra_info");

  private static final List<String> LOG =
      List.of("lake", "idempotency_key", "snapshot_id", "committed_at");

  private final OpenTransaction transaction;
  private final CommitRequest request;
  private final Snapshot newest;
  private final IdAllocator ids;
  private final LakeDraft draft;
  private final Writes writes = new Writes();
  private final Writes record = new Writes();
  private final StoredFacts facts;
  private final Answers answers;

  /**
   * Begins on a snapshot.
   *
   * @param newest the snapshot before the one to be made, which may be of this transaction
   */
  CommitAttempt(
      OpenTransaction transaction,
      StoredFacts facts,
      Answers answers,
      CommitRequest request,
      Snapshot newest) {
    this.transaction = transaction;
    this.facts = facts;
    this.answers = answers;
    this.request = request;
    this.newest = newest;
    this.ids = new IdAllocator(newest);
    this.draft = new LakeDraft(transaction, facts, ids);
  }

  /**
   * Decides everything. Nothing is written.
   *
   * @return whether there is anything to write
   */
  boolean plan() {
    ConflictCheck.check(transaction.dsl(), draft, newest, request);
    for (Attachment attachment : request.attachments()) {
      attachment.decide(answers.to(attachment.question()));
    }
    DSLContext dsl = transaction.dsl();
    String schema = transaction.lake().key();
    InlinedTables inlined = new InlinedTables(transaction, facts, writes);
    NameMappings mappings = new NameMappings(dsl, facts, writes, ids);
    LiveContent live = new LiveContent(transaction, facts, inlined, mappings);
    ChangeApplier applier =
        new ChangeApplier(draft, ids, live, new NullEvidence(transaction.dsl(), inlined));
    request.changes().forEach(applier::apply);
    if (changesNothing()) {
      return false;
    }
    ChangeLog log =
        new RowWriter(
                dsl,
                facts,
                writes,
                ids,
                new FileRows(dsl, writes, schema, ids, mappings),
                new StatisticsRows(dsl, schema, facts, writes, ids),
                inlined)
            .write(draft);
    Context context = new Context();
    request.attachments().forEach(attachment -> attachment.write(context, writes::row));
    record.row(
        RowStatement.insert(schema, "ducklake_snapshot_changes", CHANGES),
        ids.snapshotId(),
        log.text(),
        request.author(),
        request.message(),
        GoodNeighbour.OUR_MARK);
    // a commit without a key is logged too: the log is how our content is told from foreign
    String key = request.idempotencyKey();
    record.row(
        RowStatement.insert("sluice", "commit_log", LOG, "(?, ?, ?, now())"),
        schema,
        key == null ? "snapshot:" + ids.snapshotId() : key,
        ids.snapshotId());
    return true;
  }

  /** What is recorded beside the changes always counts as one: it is wanted with a snapshot. */
  private boolean changesNothing() {
    boolean recorded = !request.attachments().isEmpty() || !request.after().isEmpty();
    boolean schemas =
        draft.schemas().stream().anyMatch(schema -> schema.isCreated() != schema.isDropped());
    boolean tables =
        draft.tables().stream()
            .anyMatch(
                table ->
                    table.isCreated() != table.isDropped()
                        || table.isLayoutChanged()
                        || table.isDescriptionChanged()
                        || table.content() == Content.REPLACE
                        || !table.newFiles().isEmpty()
                        || !table.inlinedDeletes().isEmpty()
                        || !table.endedFiles().isEmpty()
                        || !table.endedInlinedRows().isEmpty()
                        || !table.newDeletes().isEmpty());
    return !recorded && !schemas && !tables;
  }

  /** What the changes write. */
  Writes writes() {
    return writes;
  }

  /** What says that the commit was made: the change log and the commit log. */
  Writes record() {
    return record;
  }

  /** Whether steps come after the changes and before the record. */
  boolean hasStepsAfter() {
    return !request.after().isEmpty();
  }

  /** The snapshot with its final counters; its time is not known yet. */
  Snapshot made() {
    return new Snapshot(
        ids.snapshotId(),
        newest.time(),
        ids.schemaVersion(),
        ids.nextCatalogId(),
        ids.nextFileId());
  }

  /** What shall be in the database once all is written. */
  void expect(Verification verification) {
    draft.tables().stream()
        .filter(table -> !table.isDropped())
        .forEach(table -> verification.expect(ids.snapshotId(), table));
  }

  /** Runs what comes after all rows are written and counted. */
  void runAfter() {
    Context context = new Context();
    request.after().forEach(step -> step.run(context));
  }

  private final class Context implements CommitContext {
    @Override
    public DSLContext dsl() {
      return transaction.dsl();
    }

    @Override
    public String lake() {
      return transaction.lake().key();
    }

    @Override
    public long snapshotId() {
      return newest.id() + 1;
    }

    @Override
    public Optional<Long> tableId(TableName name) {
      return draft.findTable(name).map(TableDraft::id);
    }

    @Override
    public Optional<String> replacedForeign(TableName name) {
      return draft.findTable(name).map(TableDraft::replacedForeign);
    }
  }
}
