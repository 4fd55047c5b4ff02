package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT_CHANGES;
import static dev.sluice.catalog.internal.jooq.sluice.Tables.COMMIT_LOG;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.LakeInfo;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.CommitContext.Registered;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.commit.TableDraft.Content;
import dev.sluice.catalog.error.CatalogErrors;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jspecify.annotations.Nullable;

/**
 * One request inside a transaction that holds the lake's lock: look the key up, claim the snapshot,
 * check conflicts, apply, write, verify, record. Used once.
 */
final class CommitAttempt {

  private static final int ONCE = 1;

  private final Connection connection;
  private final DSLContext dsl;
  private final LakeInfo lake;
  private final CommitRequest request;
  private final LayoutCache cache;
  private long newSnapshotId;

  CommitAttempt(
      Connection connection,
      DSLContext dsl,
      LakeInfo lake,
      LayoutCache cache,
      CommitRequest request) {
    this.cache = cache;
    this.connection = connection;
    this.dsl = dsl;
    this.lake = lake;
    this.request = request;
  }

  CommitResult run() {
    Optional<Long> done = findCommitted(request.idempotencyKey());
    if (done.isPresent()) {
      return new CommitResult(done.get(), Outcome.ALREADY_COMMITTED, ONCE);
    }
    Snapshot newest = SnapshotRows.claim(dsl, lake.key());
    IdAllocator ids = new IdAllocator(newest);
    newSnapshotId = ids.snapshotId();
    cache.buildOn(newest);
    LakeDraft draft = new LakeDraft(dsl, lake, ids, cache);
    ConflictCheck.check(dsl, draft, newest, request);
    Context context = new Context(draft, newest);
    request.before().forEach(step -> step.run(context));
    InlinedTables inlined = new InlinedTables(dsl, lake.key());
    NameMappings mappings = new NameMappings(dsl, ids);
    LiveContent live = new LiveContent(dsl, draft, inlined, mappings);
    ChangeApplier applier = new ChangeApplier(draft, ids, live);
    request.changes().forEach(applier::apply);
    if (changesNothing(draft)) {
      dsl.deleteFrom(DUCKLAKE_SNAPSHOT)
          .where(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.eq(ids.snapshotId()))
          .execute();
      return new CommitResult(newest.id(), Outcome.NOTHING_TO_DO, ONCE);
    }
    ChangeLog log =
        new RowWriter(
                dsl,
                ids,
                new FileRows(dsl, connection, lake.key(), ids, mappings),
                new StatisticsRows(dsl, ids),
                inlined)
            .write(draft);
    draft.tables().stream().filter(table -> !table.isDropped()).forEach(this::verify);
    request.after().forEach(step -> step.run(context));
    record(ids, log);
    return new CommitResult(ids.snapshotId(), Outcome.COMMITTED, ONCE);
  }

  private Optional<Long> findCommitted(@Nullable String key) {
    if (key == null) {
      return Optional.empty();
    }
    return dsl.select(COMMIT_LOG.SNAPSHOT_ID)
        .from(COMMIT_LOG)
        .where(COMMIT_LOG.LAKE.eq(lake.key()).and(COMMIT_LOG.IDEMPOTENCY_KEY.eq(key)))
        .fetchOptional(COMMIT_LOG.SNAPSHOT_ID);
  }

  /** A publication or a step always counts as a change: its record is wanted with a snapshot. */
  private boolean changesNothing(LakeDraft draft) {
    boolean steps = !request.before().isEmpty() || !request.after().isEmpty();
    boolean schemas =
        draft.schemas().stream().anyMatch(schema -> schema.isCreated() != schema.isDropped());
    boolean tables =
        draft.tables().stream()
            .anyMatch(
                table ->
                    table.isCreated() != table.isDropped()
                        || table.isLayoutChanged()
                        || table.content() == Content.REPLACE
                        || !table.newFiles().isEmpty()
                        || !table.newDeletes().isEmpty());
    return !steps && !schemas && !tables;
  }

  /** What the database holds must be what was asked for; counted by the database. */
  private void verify(TableDraft table) {
    if (table.newFiles().isEmpty() && table.content() == Content.KEEP) {
      return;
    }
    long files = table.newFiles().size();
    long rows = table.newFiles().stream().mapToLong(NewDataFile::recordCount).sum();
    Registered registered = registered(table.id());
    if (registered.files() != files || registered.rows() != rows) {
      throw CatalogErrors.notAsExpected(
          table.qualifiedName().toString(),
          "%d files with %d rows".formatted(files, rows),
          "%d files with %d rows".formatted(registered.files(), registered.rows()));
    }
    if (table.content() == Content.REPLACE) {
      // rows that stayed open are content as much as new ones
      Registered live = counted(table.id(), DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull());
      long liveFiles = files + table.keptFiles().size();
      long liveRows = rows + table.keptRows();
      if (live.files() != liveFiles || live.rows() != liveRows) {
        throw CatalogErrors.notAsExpected(
            table.qualifiedName().toString(),
            "%d live files with %d rows".formatted(liveFiles, liveRows),
            "%d live files with %d rows".formatted(live.files(), live.rows()));
      }
    }
  }

  private Registered registered(long tableId) {
    return counted(tableId, DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT.eq(newSnapshotId));
  }

  private Registered counted(long tableId, Condition which) {
    return dsl.select(
            count(), sum(DUCKLAKE_DATA_FILE.RECORD_COUNT), sum(DUCKLAKE_DATA_FILE.FILE_SIZE_BYTES))
        .from(DUCKLAKE_DATA_FILE)
        .where(DUCKLAKE_DATA_FILE.TABLE_ID.eq(tableId))
        .and(which)
        .fetchSingle(row -> new Registered(row.value1(), whole(row.value2()), whole(row.value3())));
  }

  private static long whole(@Nullable BigDecimal sum) {
    return sum == null ? 0 : sum.longValueExact();
  }

  private void record(IdAllocator ids, ChangeLog log) {
    Query changes =
        dsl.insertInto(
                DUCKLAKE_SNAPSHOT_CHANGES,
                DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID,
                DUCKLAKE_SNAPSHOT_CHANGES.CHANGES_MADE,
                DUCKLAKE_SNAPSHOT_CHANGES.AUTHOR,
                DUCKLAKE_SNAPSHOT_CHANGES.COMMIT_MESSAGE,
                DUCKLAKE_SNAPSHOT_CHANGES.COMMIT_EXTRA_INFO)
            .values(
                ids.snapshotId(),
                log.text(),
                request.author(),
                request.message(),
                GoodNeighbour.OUR_MARK);
    // a commit without a key is logged too: the log is how our content is told from foreign
    String key = request.idempotencyKey();
    Query logged =
        dsl.insertInto(
                COMMIT_LOG,
                COMMIT_LOG.LAKE,
                COMMIT_LOG.IDEMPOTENCY_KEY,
                COMMIT_LOG.SNAPSHOT_ID,
                COMMIT_LOG.COMMITTED_AT)
            .values(
                val(lake.key()),
                val(key == null ? "snapshot:" + ids.snapshotId() : key),
                val(ids.snapshotId()),
                currentOffsetDateTime());
    Query counters =
        dsl.update(DUCKLAKE_SNAPSHOT)
            // as late as can be: readers by time should not find what was not visible then
            .set(
                DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME,
                field(
                    "greatest(clock_timestamp(), {0})",
                    OffsetDateTime.class, DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME))
            .set(DUCKLAKE_SNAPSHOT.SCHEMA_VERSION, ids.schemaVersion())
            .set(DUCKLAKE_SNAPSHOT.NEXT_CATALOG_ID, ids.nextCatalogId())
            .set(DUCKLAKE_SNAPSHOT.NEXT_FILE_ID, ids.nextFileId())
            .where(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.eq(ids.snapshotId()));
    dsl.batch(changes, logged, counters).execute();
  }

  private final class Context implements CommitContext {
    private final LakeDraft draft;
    private final Snapshot newest;

    Context(LakeDraft draft, Snapshot newest) {
      this.draft = draft;
      this.newest = newest;
    }

    @Override
    public DSLContext dsl() {
      return dsl;
    }

    @Override
    public String lake() {
      return lake.key();
    }

    @Override
    public long snapshotId() {
      return newest.id() + 1;
    }

    @Override
    public long previousSnapshotId() {
      return newest.id();
    }

    @Override
    public Optional<Long> tableId(TableName name) {
      return draft.findTable(name).map(TableDraft::id);
    }

    @Override
    public Optional<String> replacedForeign(TableName name) {
      return draft.findTable(name).map(TableDraft::replacedForeign);
    }

    @Override
    public Registered registered(TableName name) {
      return tableId(name)
          .map(CommitAttempt.this::registered)
          .orElseGet(() -> new Registered(0, 0, 0));
    }
  }
}
