package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.error.CatalogErrors;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jooq.DSLContext;
import org.jooq.Field;

/** Snapshot rows: the newest one, and the one this commit claims. */
final class SnapshotRows {

  private SnapshotRows() {}

  static Snapshot newest(DSLContext dsl, String lake) {
    return dsl.selectFrom(DUCKLAKE_SNAPSHOT)
        .orderBy(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.desc())
        .limit(1)
        .fetchOptional(
            row ->
                new Snapshot(
                    row.getSnapshotId(),
                    row.getSnapshotTime().toInstant(),
                    row.getSchemaVersion(),
                    row.getNextCatalogId(),
                    row.getNextFileId()))
        .orElseThrow(() -> CatalogErrors.damaged(lake, "there is no snapshot at all"));
  }

  /**
   * Claims the snapshot after the newest one and returns the newest. The primary key makes a
   * foreign writer that wants the same id wait for us and then fail; where it was faster, no row is
   * inserted and the newest is read again, still under our lock.
   */
  static Snapshot claim(DSLContext dsl, String lake) {
    while (true) {
      Snapshot newest = newest(dsl, lake);
      // the statement's clock: the transaction's may be older than the lock. Never before the
      // newest snapshot, or time travel would jump
      Field<OffsetDateTime> time =
          field(
              "greatest(clock_timestamp(), {0})",
              OffsetDateTime.class, newest.time().atOffset(ZoneOffset.UTC));
      int inserted =
          dsl.insertInto(DUCKLAKE_SNAPSHOT)
              .columns(
                  DUCKLAKE_SNAPSHOT.SNAPSHOT_ID,
                  DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME,
                  DUCKLAKE_SNAPSHOT.SCHEMA_VERSION,
                  DUCKLAKE_SNAPSHOT.NEXT_CATALOG_ID,
                  DUCKLAKE_SNAPSHOT.NEXT_FILE_ID)
              .values(
                  val(newest.id() + 1),
                  time,
                  val(newest.schemaVersion()),
                  val(newest.nextCatalogId()),
                  val(newest.nextFileId()))
              .onConflictDoNothing()
              .execute();
      if (inserted == 1) {
        return newest;
      }
    }
  }
}
