package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.sum;

import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import dev.sluice.catalog.commit.TableDraft.Content;
import dev.sluice.catalog.error.CatalogErrors;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jooq.AggregateFunction;
import org.jooq.DSLContext;

/**
 * What the database holds must be what was asked for. It is counted by the database, in the round
 * trip that writes it, for all requests that are written together. Not thread-safe.
 */
final class Verification {

  private final List<Expected> expected = new ArrayList<>();
  private final Map<Added, Counted> added = new HashMap<>();
  private final Map<Long, Counted> live = new HashMap<>();
  private final Map<Long, Counted> deletes = new HashMap<>();

  private record Added(long tableId, long snapshotId) {}

  private record Counted(long files, long rows) {}

  private record Expected(TableDraft table, Added added, Counted counted) {
    /** Of a table that is new, what was added is all there is. */
    boolean isReplaced() {
      return table.content() == Content.REPLACE && !table.isCreated();
    }

    /** Positions are counted in the place of rows. */
    Counted deletes() {
      return new Counted(
          table.keptDeletes().size() + table.newDeletes().size(),
          table.keptPositions()
              + table.newDeletes().stream().mapToLong(NewDeleteFile::deleteCount).sum());
    }

    /** Rows that stayed open are content as much as new ones. */
    Counted live() {
      return new Counted(
          counted.files() + table.keptFiles().size(), counted.rows() + table.keptRows());
    }
  }

  /** Expects the table's new files in that snapshot and, where it is replaced, no others. */
  void expect(long snapshotId, TableDraft table) {
    if (table.newFiles().isEmpty() && table.content() == Content.KEEP) {
      return;
    }
    long rows = table.newFiles().stream().mapToLong(NewDataFile::recordCount).sum();
    expected.add(
        new Expected(
            table, new Added(table.id(), snapshotId), new Counted(table.newFiles().size(), rows)));
  }

  /**
   * Has the database count.
   *
   * @param trip writes what is counted
   * @param base the snapshot before these requests
   * @param made the snapshot after them; the ids of their files lie between the counters of the two
   */
  void ask(RoundTrip trip, DSLContext dsl, Snapshot base, Snapshot made) {
    if (expected.isEmpty()) {
      return;
    }
    AggregateFunction<BigDecimal> rows = sum(DUCKLAKE_DATA_FILE.RECORD_COUNT);
    trip.read(
        dsl.select(DUCKLAKE_DATA_FILE.TABLE_ID, DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT, count(), rows)
            .from(DUCKLAKE_DATA_FILE)
            .where(DUCKLAKE_DATA_FILE.DATA_FILE_ID.ge(base.nextFileId()))
            // without an end PostgreSQL expects a third of all files, and reads them all
            .and(DUCKLAKE_DATA_FILE.DATA_FILE_ID.lt(made.nextFileId()))
            .groupBy(DUCKLAKE_DATA_FILE.TABLE_ID, DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT),
        found ->
            found.forEach(
                row ->
                    added.put(
                        new Added(
                            row.get(DUCKLAKE_DATA_FILE.TABLE_ID),
                            row.get(DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT)),
                        new Counted(
                            row.get(count()).longValue(), row.get(rows).longValueExact()))));
    askDeletes(trip, dsl);
    List<Long> replaced =
        expected.stream().filter(Expected::isReplaced).map(each -> each.table().id()).toList();
    if (!replaced.isEmpty()) {
      trip.read(
          dsl.select(DUCKLAKE_DATA_FILE.TABLE_ID, count(), rows)
              .from(DUCKLAKE_DATA_FILE)
              .where(DUCKLAKE_DATA_FILE.TABLE_ID.in(replaced))
              .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
              .groupBy(DUCKLAKE_DATA_FILE.TABLE_ID),
          found ->
              found.forEach(
                  row ->
                      live.put(
                          row.get(DUCKLAKE_DATA_FILE.TABLE_ID),
                          new Counted(
                              row.get(count()).longValue(), row.get(rows).longValueExact()))));
    }
  }

  private void askDeletes(RoundTrip trip, DSLContext dsl) {
    List<Long> whole =
        expected.stream()
            .filter(each -> each.table().content() == Content.REPLACE)
            .map(each -> each.table().id())
            .toList();
    if (whole.isEmpty()) {
      return;
    }
    AggregateFunction<BigDecimal> positions = sum(DUCKLAKE_DELETE_FILE.DELETE_COUNT);
    trip.read(
        dsl.select(DUCKLAKE_DELETE_FILE.TABLE_ID, count(), positions)
            .from(DUCKLAKE_DELETE_FILE)
            .join(DUCKLAKE_DATA_FILE)
            .on(DUCKLAKE_DATA_FILE.DATA_FILE_ID.eq(DUCKLAKE_DELETE_FILE.DATA_FILE_ID))
            .where(DUCKLAKE_DELETE_FILE.TABLE_ID.in(whole))
            .and(DUCKLAKE_DELETE_FILE.END_SNAPSHOT.isNull())
            // an open one of an ended file waits for DuckDB's flush
            .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
            .groupBy(DUCKLAKE_DELETE_FILE.TABLE_ID),
        found ->
            found.forEach(
                row ->
                    deletes.put(
                        row.get(DUCKLAKE_DELETE_FILE.TABLE_ID),
                        new Counted(
                            row.get(count()).longValue(), row.get(positions).longValueExact()))));
  }

  /**
   * Compares, once the answers have come.
   *
   * @throws dev.sluice.catalog.error.CatalogException when anything differs
   */
  void check() {
    for (Expected each : expected) {
      String table = each.table().qualifiedName().toString();
      Counted counted = added.getOrDefault(each.added(), new Counted(0, 0));
      if (!counted.equals(each.counted())) {
        throw CatalogErrors.notAsExpected(
            table, text(each.counted(), "files"), text(counted, "files"));
      }
      Counted all = live.getOrDefault(each.table().id(), new Counted(0, 0));
      if (each.isReplaced() && !all.equals(each.live())) {
        throw CatalogErrors.notAsExpected(
            table, text(each.live(), "live files"), text(all, "live files"));
      }
      Counted deleted = deletes.getOrDefault(each.table().id(), new Counted(0, 0));
      if (each.table().content() == Content.REPLACE && !deleted.equals(each.deletes())) {
        throw CatalogErrors.notAsExpected(
            table, text(each.deletes(), "delete files"), text(deleted, "delete files"));
      }
    }
  }

  private static String text(Counted counted, String what) {
    return "%d %s with %d rows".formatted(counted.files(), what, counted.rows());
  }
}
