package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.internal.jooq.ducklake.tables.records.DucklakeSnapshotRecord;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.ResultQuery;

/** Snapshot rows: the newest one, and the one this commit claims. */
final class SnapshotRows {

  private SnapshotRows() {}

  static ResultQuery<DucklakeSnapshotRecord> newestQuery(DSLContext dsl) {
    return dsl.selectFrom(DUCKLAKE_SNAPSHOT).orderBy(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.desc()).limit(1);
  }

  static Snapshot newest(OpenTransaction transaction) {
    DSLContext dsl = transaction.dsl();
    return newest(newestQuery(dsl).fetch(), transaction.lake().key());
  }

  /** The newest snapshot, from the query's rows. */
  static Snapshot newest(Result<? extends Record> found, String lake) {
    if (found.isEmpty()) {
      throw CatalogErrors.damaged(lake, "there is no snapshot at all");
    }
    DucklakeSnapshotRecord row = found.get(0).into(DUCKLAKE_SNAPSHOT);
    return new Snapshot(
        row.getSnapshotId(),
        row.getSnapshotTime().toInstant(),
        row.getSchemaVersion(),
        row.getNextCatalogId(),
        row.getNextFileId());
  }

  /**
   * Claims the snapshot after the newest one: inserts a row, or none. The primary key makes a
   * foreign writer that wants the same id wait for us and then fail; where it was faster, no row is
   * inserted and the newest has to be read again, still under our lock. Ids after this one need no
   * claim: nobody sees ours, so nobody counts on from it.
   */
  static Query claim(DSLContext dsl, Snapshot newest) {
    return dsl.insertInto(DUCKLAKE_SNAPSHOT)
        .columns(
            DUCKLAKE_SNAPSHOT.SNAPSHOT_ID,
            DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME,
            DUCKLAKE_SNAPSHOT.SCHEMA_VERSION,
            DUCKLAKE_SNAPSHOT.NEXT_CATALOG_ID,
            DUCKLAKE_SNAPSHOT.NEXT_FILE_ID)
        .values(
            val(newest.id() + 1),
            timeAfter(newest),
            val(newest.schemaVersion()),
            val(newest.nextCatalogId()),
            val(newest.nextFileId()))
        .onConflictDoNothing();
  }

  /** Gives the claimed row its final counters; before rows are added, whose time is not before. */
  static void complete(Writes writes, String schema, Snapshot made) {
    writes.row(
        new RowStatement(
            "UPDATE %s.ducklake_snapshot AS claimed SET".formatted(Names.quoted(schema))
                // as late as can be: readers by time should not find what was not visible then
                + " snapshot_time = greatest(clock_timestamp(), made.not_before),"
                + " schema_version = made.schema_version,"
                + " next_catalog_id = made.next_catalog_id, next_file_id = made.next_file_id"
                + " FROM (VALUES ",
            "(?::bigint, ?::timestamptz, ?::bigint, ?::bigint, ?::bigint)",
            ") AS made (snapshot_id, not_before, schema_version, next_catalog_id, next_file_id)"
                + " WHERE claimed.snapshot_id = made.snapshot_id"),
        values(made));
  }

  /** Adds the row of a snapshot that needs no claim. */
  static void add(Writes writes, String schema, Snapshot made) {
    writes.row(
        RowStatement.insert(
            schema,
            "ducklake_snapshot",
            List.of(
                "snapshot_id",
                "snapshot_time",
                "schema_version",
                "next_catalog_id",
                "next_file_id"),
            "(?, greatest(clock_timestamp(), ?), ?, ?, ?)"),
        values(made));
  }

  private static Object[] values(Snapshot made) {
    return new Object[] {
      made.id(),
      made.time().atOffset(ZoneOffset.UTC),
      made.schemaVersion(),
      made.nextCatalogId(),
      made.nextFileId()
    };
  }

  /**
   * The statement's clock: the transaction's may be older than the lock. Never before the snapshots
   * before, or time travel would jump.
   */
  private static Field<OffsetDateTime> timeAfter(Snapshot earlier) {
    return field(
        "greatest(clock_timestamp(), {0})",
        OffsetDateTime.class, val(earlier.time().atOffset(ZoneOffset.UTC)));
  }
}
