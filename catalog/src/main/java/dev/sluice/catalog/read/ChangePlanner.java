package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT_CHANGES;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.SnapshotChange;
import dev.sluice.catalog.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** Puts the plan of a change feed together in one transaction. */
final class ChangePlanner {

  private final DSLContext dsl;
  private final String metadataSchema;
  private final Table table;
  private final Snapshot from;
  private final Snapshot to;

  ChangePlanner(DSLContext dsl, String metadataSchema, Table table, Snapshot from, Snapshot to) {
    this.dsl = dsl;
    this.metadataSchema = metadataSchema;
    this.table = table;
    this.from = from;
    this.to = to;
  }

  ChangePlan plan() {
    InlinedQueries inlined = new InlinedQueries(dsl, metadataSchema, to.id(), table);
    Set<Long> rewrites = rewrites();
    Condition known = DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT.le(to.id());
    return new ChangePlan(
        from,
        to,
        table,
        new FileQueries(
                dsl, to.id(), table, known.and(holdsNewRows(rewrites)), DSL.falseCondition())
            .files(Map.of()),
        inlined.inserted(from.id()),
        removed(inlined.deletedPositions(), rewrites, known),
        inlined.removed(from.id()));
  }

  /**
   * The snapshots that wrote rows of the table anew and changed none. Their files show each row as
   * removed and inserted, which is nobody's change.
   */
  private Set<Long> rewrites() {
    return dsl
        .select(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID, DUCKLAKE_SNAPSHOT_CHANGES.CHANGES_MADE)
        .from(DUCKLAKE_SNAPSHOT_CHANGES)
        .where(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.between(from.id(), to.id()))
        .fetch()
        .stream()
        .filter(row -> SnapshotChange.parse(row.value2()).stream().anyMatch(this::isRewrite))
        .map(row -> row.value1())
        .collect(Collectors.toSet());
  }

  private boolean isRewrite(SnapshotChange change) {
    Long id = change.id();
    return change.kind() == SnapshotChange.Kind.REWRITE_DELETE && id != null && id == table.id();
  }

  private Condition holdsNewRows(Set<Long> rewrites) {
    return DUCKLAKE_DATA_FILE
        .BEGIN_SNAPSHOT
        .ge(from.id())
        .or(DUCKLAKE_DATA_FILE.PARTIAL_MAX.ge(from.id()))
        .and(DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT.notIn(rewrites));
  }

  private List<RemovedRows> removed(
      Map<Long, List<DeletedPosition>> positions, Set<Long> rewrites, Condition known) {
    Condition ended =
        DUCKLAKE_DATA_FILE
            .END_SNAPSHOT
            .between(from.id(), to.id())
            .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.notIn(rewrites));
    Condition lostRows =
        ended
            .or(
                DUCKLAKE_DATA_FILE.DATA_FILE_ID.in(
                    dsl.select(DUCKLAKE_DELETE_FILE.DATA_FILE_ID)
                        .from(DUCKLAKE_DELETE_FILE)
                        .where(DUCKLAKE_DELETE_FILE.TABLE_ID.eq(table.id()))
                        .and(DUCKLAKE_DELETE_FILE.BEGIN_SNAPSHOT.le(to.id()))
                        .and(
                            DUCKLAKE_DELETE_FILE
                                .BEGIN_SNAPSHOT
                                .ge(from.id())
                                .or(DUCKLAKE_DELETE_FILE.PARTIAL_MAX.ge(from.id()))
                                // a flush writes older and newer deletes without saying so here
                                .or(DUCKLAKE_DELETE_FILE.PARTIAL_MAX.isNull()))))
            .or(DUCKLAKE_DATA_FILE.DATA_FILE_ID.in(lostInCatalog(positions)));
    FileQueries files =
        new FileQueries(
            dsl,
            to.id(),
            table,
            known.and(lostRows),
            DUCKLAKE_DELETE_FILE.BEGIN_SNAPSHOT.le(to.id()));
    Map<Long, Long> ends = ends(ended);
    return files.files(Map.of()).stream()
        .map(
            file ->
                new RemovedRows(
                    file,
                    positions.getOrDefault(file.dataFileId(), List.of()),
                    ends.get(file.dataFileId())))
        .toList();
  }

  private Set<Long> lostInCatalog(Map<Long, List<DeletedPosition>> positions) {
    return positions.entrySet().stream()
        .filter(file -> file.getValue().stream().anyMatch(each -> each.snapshotId() >= from.id()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private Map<Long, Long> ends(Condition ended) {
    Map<Long, Long> ends = new HashMap<>();
    dsl.select(DUCKLAKE_DATA_FILE.DATA_FILE_ID, DUCKLAKE_DATA_FILE.END_SNAPSHOT)
        .from(DUCKLAKE_DATA_FILE)
        .where(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
        .and(ended)
        .forEach(row -> ends.put(row.value1(), row.value2()));
    return ends;
  }
}
