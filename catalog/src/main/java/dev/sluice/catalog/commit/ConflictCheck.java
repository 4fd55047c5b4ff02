package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT_CHANGES;
import static org.jooq.impl.DSL.any;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.SnapshotChange;
import dev.sluice.catalog.SnapshotChange.Kind;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.Change.InlinedDelete;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jooq.DSLContext;

/**
 * The conflict matrix (ducklake-format 3.2): what somebody committed since a request was planned,
 * against what the request wants. Stricter than DuckDB where its own matrix has holes; a word that
 * is not understood is a conflict with everything.
 */
final class ConflictCheck {

  private static final Set<Kind> AGAINST_INSERT =
      EnumSet.of(
          Kind.DROPPED_TABLE, Kind.ALTERED_TABLE, Kind.DELETED_FROM_TABLE, Kind.INLINED_DELETE);
  private static final Set<Kind> AGAINST_DELETE =
      EnumSet.of(
          Kind.DROPPED_TABLE,
          Kind.ALTERED_TABLE,
          Kind.INSERTED_INTO_TABLE,
          Kind.INLINED_INSERT,
          Kind.INLINED_DELETE,
          Kind.INLINE_FLUSH,
          Kind.MERGE_ADJACENT,
          Kind.REWRITE_DELETE,
          Kind.COMPACTED_TABLE);
  // DuckDB checks an insert against an alter but not the reverse
  private static final Set<Kind> AGAINST_ALTER =
      EnumSet.of(
          Kind.DROPPED_TABLE, Kind.ALTERED_TABLE, Kind.INSERTED_INTO_TABLE, Kind.INLINED_INSERT);
  private static final Set<Kind> AGAINST_DROP = EnumSet.of(Kind.DROPPED_TABLE);
  private static final Set<Kind> AGAINST_REPLACE =
      EnumSet.of(
          Kind.DROPPED_TABLE,
          Kind.ALTERED_TABLE,
          Kind.INSERTED_INTO_TABLE,
          Kind.DELETED_FROM_TABLE,
          Kind.INLINED_INSERT,
          Kind.INLINED_DELETE,
          Kind.INLINE_FLUSH,
          Kind.MERGE_ADJACENT,
          Kind.REWRITE_DELETE,
          Kind.COMPACTED_TABLE);
  private static final Set<Kind> CREATING =
      EnumSet.of(
          Kind.CREATED_TABLE,
          Kind.CREATED_VIEW,
          Kind.CREATED_SCALAR_MACRO,
          Kind.CREATED_TABLE_MACRO);

  private final DSLContext dsl;
  private final LakeDraft lake;
  private final CommitRequest request;
  private final List<SnapshotChange> theirs = new ArrayList<>();
  private final Set<String> madeHere = new HashSet<>();
  private final long base;

  private ConflictCheck(DSLContext dsl, LakeDraft lake, CommitRequest request, long base) {
    this.dsl = dsl;
    this.lake = lake;
    this.request = request;
    this.base = base;
  }

  /**
   * Checks the request against everything between its base and the newest snapshot.
   *
   * @throws dev.sluice.catalog.error.CommitConflictException on the first conflict
   */
  static void check(DSLContext dsl, LakeDraft lake, Snapshot newest, CommitRequest request) {
    switch (request.base()) {
      case Base.Newest onNothing -> {}
      case Base.PlannedOn(long base) -> {
        if (base != newest.id()) {
          new ConflictCheck(dsl, lake, request, base).run(newest);
        }
      }
    }
  }

  private void run(Snapshot newest) {
    requireBase(newest);
    requireHistory(newest);
    dsl.select(DUCKLAKE_SNAPSHOT_CHANGES.CHANGES_MADE)
        .from(DUCKLAKE_SNAPSHOT_CHANGES)
        .where(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.gt(base))
        .and(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.le(newest.id()))
        .orderBy(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID)
        .forEach(row -> theirs.addAll(SnapshotChange.parse(row.value1())));
    theirs.stream()
        .filter(change -> change.kind() == Kind.UNKNOWN)
        .findFirst()
        .ifPresent(this::conflict);
    request.changes().forEach(this::check);
  }

  private void requireBase(Snapshot newest) {
    boolean exists =
        base < newest.id()
            && dsl.fetchExists(
                dsl.selectOne()
                    .from(DUCKLAKE_SNAPSHOT)
                    .where(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.eq(base)));
    if (!exists) {
      throw CatalogErrors.conflict(
          lake.lake().key(),
          request.description(),
          base,
          "the snapshot that this was planned on does not exist (expired)");
    }
  }

  /** An expired snapshot between would hide what it did. */
  private void requireHistory(Snapshot newest) {
    int known =
        dsl.fetchCount(
            dsl.selectOne()
                .from(DUCKLAKE_SNAPSHOT_CHANGES)
                .where(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.gt(base))
                .and(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.le(newest.id())));
    if (known != newest.id() - base) {
      throw CatalogErrors.conflict(
          lake.lake().key(),
          request.description(),
          base,
          "things that are not known any more (snapshots since then have expired)");
    }
  }

  private void check(Change change) {
    switch (change) {
      case Change.CreateSchema create ->
          find(
              theirs ->
                  create.existing() == IfExists.REFUSE
                      && theirs.kind() == Kind.CREATED_SCHEMA
                      && names(theirs, create.name()));
      case Change.DropSchema drop -> dropSchema(drop.name());
      case Change.CreateTable create -> {
        if (create.existing() == IfExists.REFUSE) {
          created(create.name());
        }
        madeHere.add(Names.lower(create.name().toString()));
      }
      case Change.RenameTable rename -> {
        lake.find(rename.table())
            .ifPresent(
                table -> created(new TableName(table.identity().schemaName(), rename.newName())));
        table(rename.table(), AGAINST_DROP);
      }
      case Change.DropTable drop -> table(drop.table(), AGAINST_DROP);
      case Change.AddColumn add -> table(add.table(), AGAINST_ALTER);
      case Change.DropColumn drop -> table(drop.table(), AGAINST_ALTER);
      case Change.RenameColumn rename -> table(rename.table(), AGAINST_ALTER);
      case Change.RetypeColumn retype -> table(retype.table(), AGAINST_ALTER);
      case Change.SetPartitioning set -> table(set.table(), AGAINST_ALTER);
      case Change.SetSortOrder set -> table(set.table(), AGAINST_ALTER);
      case Change.SetComment set -> table(set.table(), AGAINST_ALTER);
      case Change.SetDefault set -> table(set.table(), AGAINST_ALTER);
      case Change.SetNulls set -> table(set.table(), AGAINST_ALTER);
      case Change.AddDataFiles add -> table(add.table(), AGAINST_INSERT);
      case Change.AddDeleteFiles add -> {
        table(add.table(), AGAINST_DELETE);
        fileLevel(add.files().stream().map(NewDeleteFile::dataFileId).toList());
      }
      case Change.DeleteInCatalog delete -> {
        table(delete.table(), AGAINST_DELETE);
        fileLevel(delete.deletes().stream().map(InlinedDelete::dataFileId).toList());
      }
      case Change.EndDataFiles end -> {
        table(end.table(), AGAINST_DELETE);
        fileLevel(end.dataFileIds());
      }
      case Change.EndInlinedRows end -> table(end.table(), AGAINST_DELETE);
      case Change.RequireUnchanged unchanged -> table(unchanged.table(), AGAINST_REPLACE);
      // new content computed from a snapshot: what came since would vanish unseen. A publication is
      // planned on nothing and never gets here
      case Change.ReplaceContent replace ->
          table(new TableRef.ByName(replace.name()), AGAINST_REPLACE);
    }
  }

  private void dropSchema(String name) {
    Optional<Long> id = lake.findSchema(name).map(SchemaDraft::id);
    find(
        theirs ->
            CREATING.contains(theirs.kind())
                && theirs.schema() != null
                && Names.same(theirs.schema(), name));
    id.ifPresent(
        schemaId ->
            find(theirs -> theirs.kind() == Kind.DROPPED_SCHEMA && schemaId.equals(theirs.id())));
  }

  private void created(TableName name) {
    find(
        theirs ->
            (theirs.kind() == Kind.CREATED_TABLE || theirs.kind() == Kind.CREATED_VIEW)
                && theirs.schema() != null
                && theirs.name() != null
                && Names.same(theirs.schema(), name.schema())
                && Names.same(theirs.name(), name.table()));
    boolean schemaIsAnother =
        lake.findSchema(name.schema()).isEmpty()
            || theirs.stream()
                .anyMatch(
                    change -> change.kind() == Kind.CREATED_SCHEMA && names(change, name.schema()));
    if (schemaIsAnother) {
      find(theirs -> theirs.kind() == Kind.DROPPED_SCHEMA);
    }
  }

  private void table(TableRef ref, Set<Kind> against) {
    Optional<Long> id =
        switch (ref) {
          case TableRef.ById(long tableId) -> Optional.of(tableId);
          case TableRef.ByName(TableName name) -> lake.findTable(name).map(TableDraft::id);
        };
    if (ref instanceof TableRef.ByName(TableName name)
        && madeHere.contains(Names.lower(name.toString()))) {
      return;
    }
    if (id.isEmpty()) {
      // a name that is gone: whoever dropped a table since may have dropped this one
      find(theirs -> theirs.kind() == Kind.DROPPED_TABLE);
      return;
    }
    find(theirs -> against.contains(theirs.kind()) && id.get().equals(theirs.id()));
    if (ref instanceof TableRef.ByName(TableName name)) {
      // the name may have been given to another table meanwhile
      created(name);
    }
  }

  /** Delete against delete: only where the very data file was touched since. */
  private void fileLevel(List<Long> dataFileIds) {
    Long[] ids = dataFileIds.toArray(new Long[0]);
    Optional<Long> touched =
        dsl.select(DUCKLAKE_DELETE_FILE.DATA_FILE_ID)
            .from(DUCKLAKE_DELETE_FILE)
            .where(DUCKLAKE_DELETE_FILE.DATA_FILE_ID.eq(any(ids)))
            // DuckDB's merged delete files begin at their oldest position
            .and(
                DUCKLAKE_DELETE_FILE
                    .BEGIN_SNAPSHOT
                    .gt(base)
                    .or(DUCKLAKE_DELETE_FILE.PARTIAL_MAX.gt(base)))
            .limit(1)
            .fetchOptional(DUCKLAKE_DELETE_FILE.DATA_FILE_ID)
            .or(() -> gone(ids));
    touched.ifPresent(
        id -> {
          throw CatalogErrors.conflict(
              lake.lake().key(), request.description(), base, "delete rows of data file " + id);
        });
  }

  private Optional<Long> gone(Long[] ids) {
    Set<Long> live =
        dsl.select(DUCKLAKE_DATA_FILE.DATA_FILE_ID)
            .from(DUCKLAKE_DATA_FILE)
            .where(DUCKLAKE_DATA_FILE.DATA_FILE_ID.eq(any(ids)))
            .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
            .fetchSet(DUCKLAKE_DATA_FILE.DATA_FILE_ID);
    return Arrays.stream(ids).filter(id -> !live.contains(id)).findFirst();
  }

  private static boolean names(SnapshotChange theirs, String schema) {
    return theirs.schema() != null && Names.same(theirs.schema(), schema);
  }

  private void find(Predicate<SnapshotChange> conflicting) {
    theirs.stream().filter(conflicting).findFirst().ifPresent(this::conflict);
  }

  private void conflict(SnapshotChange change) {
    throw CatalogErrors.conflict(lake.lake().key(), request.description(), base, change.text());
  }
}
