package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT_CHANGES;
import static org.jooq.impl.DSL.field;

import dev.sluice.catalog.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Leaves other writers a chance. DuckDB takes no lock: it reads the newest snapshot, works, and
 * loses if another one came meanwhile; ten such losses fail its commit for good. So while foreign
 * commits are seen, ours waits until the newest snapshot has a minimum age. Waiting under our own
 * lock is right: DuckDB does not need that lock, and our other writers must wait as well.
 */
final class GoodNeighbour {

  /** Marks our snapshots in {@code commit_extra_info}. */
  static final String OUR_MARK = "sluice";

  /** Snapshots looked at when a process begins to commit. */
  private static final long FIRST_LOOK_BACK = 200;

  private final CommitSettings settings;
  private long lookedUpTo = -1;
  private @Nullable Instant foreignSeenAt;

  GoodNeighbour(CommitSettings settings) {
    this.settings = settings;
  }

  synchronized void waitFor(DSLContext dsl, Snapshot newest) throws InterruptedException {
    long from = lookedUpTo < 0 ? newest.id() - FIRST_LOOK_BACK : lookedUpTo;
    if (newest.id() > from && hasForeign(dsl, from)) {
      foreignSeenAt = settings.clock().instant();
    }
    lookedUpTo = newest.id();
    if (foreignSeenAt == null
        || foreignSeenAt.plus(settings.neighbourMemory()).isBefore(settings.clock().instant())) {
      return;
    }
    long ageMillis = Math.max(0, ageMillis(dsl, newest));
    long wanted = settings.neighbourAge().toMillis();
    if (ageMillis < wanted) {
      settings.sleeper().sleep(Duration.ofMillis(wanted - ageMillis));
    }
  }

  private static boolean hasForeign(DSLContext dsl, long from) {
    return dsl.fetchExists(
        dsl.selectOne()
            .from(DUCKLAKE_SNAPSHOT_CHANGES)
            .where(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.gt(Math.max(from, 0)))
            .and(DUCKLAKE_SNAPSHOT_CHANGES.COMMIT_EXTRA_INFO.isDistinctFrom(OUR_MARK)));
  }

  /** By the database's clock, since the snapshot's time is too. */
  private static long ageMillis(DSLContext dsl, Snapshot newest) {
    Long age =
        dsl.select(
                field(
                    "cast(extract(epoch from clock_timestamp() - {0}) * 1000 as bigint)",
                    Long.class, newest.time().atOffset(ZoneOffset.UTC)))
            .fetchOne(0, Long.class);
    return age == null ? 0 : age;
  }
}
