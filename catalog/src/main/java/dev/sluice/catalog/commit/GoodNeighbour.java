package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT_CHANGES;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.max;

import dev.sluice.catalog.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Record1;
import org.jooq.ResultQuery;
import org.jooq.Select;
import org.jspecify.annotations.Nullable;

/**
 * Leaves other writers a chance. DuckDB takes no lock: it reads the newest snapshot, works, and
 * loses if another one came meanwhile; ten such losses fail its commit for good. So while foreign
 * commits are seen, or foreign tries, ours waits until the newest snapshot has a minimum age
 * (longer when our transactions are slow), and then for those transactions to end that have read a
 * snapshot already. The latter is what counts on a busy machine, where DuckDB may need longer than
 * any fixed age: whoever has read the table of snapshots holds PostgreSQL's share lock on it until
 * the end, which everybody may see. A transaction that outlasts our patience (a long query, a
 * session left open) is not waited for again.
 *
 * <p>Waiting under our own lock is right: DuckDB does not need that lock, and our other writers
 * must wait as well. Thread-safe.
 */
final class GoodNeighbour {

  /** Marks our snapshots in {@code commit_extra_info}. */
  static final String OUR_MARK = "sluice";

  /** Snapshots looked at when a process begins to commit. */
  private static final long FIRST_LOOK_BACK = 200;

  /** Writing a row and seeing it differ by a disk flush, long only on a busy machine. */
  private static final long COMMIT_SLACK_MILLIS = 100;

  /** Three parts for others for one of ours. */
  private static final int GAP_PER_HELD = 3;

  /** A single long publication costs DuckDB one try, not worth a longer pause. */
  private static final long LONGEST_GAP_MILLIS = 250;

  /** How often we look again: a tenth of what a small commit of DuckDB's takes. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  /** 300 ms in all: a small commit of DuckDB's on a busy machine, and short to those who queue. */
  private static final int LOOKS = 60;

  /** Outlasting transactions remembered; more than a server has sessions. */
  private static final int REMEMBERED = 1000;

  private static final String READERS_OF_SNAPSHOTS =
      "SELECT DISTINCT virtualtransaction FROM pg_locks WHERE locktype = 'relation'"
          + " AND relation = ?::regclass AND database = (SELECT oid FROM pg_database"
          + " WHERE datname = current_database()) AND granted AND pid <> pg_backend_pid()";

  /** A foreign writer that tries again reads the change log first; other readers hardly do. */
  private static final String READS_THE_CHANGE_LOG =
      "SELECT 1 FROM pg_locks WHERE locktype = 'relation' AND relation = ?::regclass"
          + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
          + " AND granted AND pid <> pg_backend_pid() LIMIT 1";

  private final CommitSettings settings;
  private final String snapshotTable;
  private final String changesTable;
  private final Set<String> outlasting = new HashSet<>();
  private long lookedUpTo = -1;
  private @Nullable Instant foreignSeenAt;
  private Duration lastHeld = Duration.ZERO;

  GoodNeighbour(CommitSettings settings, String metadataSchema) {
    this.settings = settings;
    this.snapshotTable = Names.quoted(metadataSchema) + ".ducklake_snapshot";
    this.changesTable = Names.quoted(metadataSchema) + ".ducklake_snapshot_changes";
  }

  /**
   * Has the server asked for signs of others: a snapshot that is not ours, and a foreign writer
   * that has not won once. Behind our own lock nobody of ours reads the change log in a
   * transaction, so a lock on it is that of a writer about to try again.
   */
  void ask(RoundTrip trip, DSLContext dsl) {
    trip.read(foreignSince(dsl, lookedUpTo), found -> noteIf(found.get(0).get(0, Boolean.class)));
    askForLosers(trip, dsl);
  }

  /** Has the server asked for foreign writers that have not won once. */
  void askForLosers(RoundTrip trip, DSLContext dsl) {
    trip.read(
        dsl.resultQuery(READS_THE_CHANGE_LOG, changesTable).coerce(inline(1)),
        found -> noteIf(found.isNotEmpty()));
  }

  private synchronized void noteIf(boolean foreign) {
    if (foreign) {
      foreignSeenAt = settings.clock().instant();
    }
  }

  /**
   * Waits for others if there are any.
   *
   * @param newest the newest snapshot
   * @return whether it waited, and there may be a newer one
   */
  synchronized boolean waitFor(DSLContext dsl, Snapshot newest) throws InterruptedException {
    lookedUpTo = newest.id();
    if (!hasNeighbour()) {
      return false;
    }
    long gap = gapMillis();
    // the row says when it was written, others see it when its COMMIT is through
    if (ageMillis(dsl, newest) < gap + COMMIT_SLACK_MILLIS) {
      settings.sleeper().sleep(Duration.ofMillis(gap));
    }
    waitForReaders(dsl);
    return true;
  }

  private boolean hasNeighbour() {
    Instant seen = foreignSeenAt;
    return seen != null
        && !seen.plus(settings.neighbourMemory()).isBefore(settings.clock().instant());
  }

  /** How long our latest transaction kept others from making a snapshot. */
  synchronized void held(Duration claimToCommit) {
    lastHeld = claimToCommit;
  }

  /** Leaves others three quarters of the time, so that ten losses in a row do not happen. */
  private long gapMillis() {
    long proportional =
        Math.min(lastHeld.multipliedBy(GAP_PER_HELD).toMillis(), LONGEST_GAP_MILLIS);
    return Math.max(settings.neighbourAge().toMillis(), proportional);
  }

  private void waitForReaders(DSLContext dsl) throws InterruptedException {
    Set<String> running = readers(dsl);
    running.removeAll(outlasting);
    for (int look = 0; look < LOOKS && !running.isEmpty(); look++) {
      settings.sleeper().sleep(LOOK_AGAIN);
      running.retainAll(readers(dsl));
    }
    if (outlasting.size() > REMEMBERED) {
      outlasting.clear();
    }
    outlasting.addAll(running);
  }

  private Set<String> readers(DSLContext dsl) {
    return dsl.fetch(READERS_OF_SNAPSHOTS, snapshotTable).stream()
        .map(row -> row.get(0, String.class))
        .collect(Collectors.toCollection(HashSet::new));
  }

  /**
   * Whether there is a snapshot of another writer behind the one we looked at last. At a process's
   * first look there is none such, and an old one says nothing about who is at work now.
   */
  private ResultQuery<Record1<Boolean>> foreignSince(DSLContext dsl, long lookedUpTo) {
    Condition unseen =
        lookedUpTo < 0
            ? DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.in(latest(dsl))
            : DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.gt(lookedUpTo);
    return dsl.select(
        field(
            exists(
                dsl.selectOne()
                    .from(DUCKLAKE_SNAPSHOT_CHANGES)
                    .where(unseen)
                    .and(DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID.gt(inline(0L)))
                    .and(DUCKLAKE_SNAPSHOT_CHANGES.COMMIT_EXTRA_INFO.isDistinctFrom(OUR_MARK)))));
  }

  /** The few latest snapshots, of those made as long ago as we remember. */
  private Select<Record1<Long>> latest(DSLContext dsl) {
    return dsl.select(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID)
        .from(DUCKLAKE_SNAPSHOT)
        .where(
            DUCKLAKE_SNAPSHOT.SNAPSHOT_ID.gt(
                dsl.select(max(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID).minus(FIRST_LOOK_BACK))
                    .from(DUCKLAKE_SNAPSHOT)))
        .and(
            condition(
                "{0} > now() - make_interval(secs => {1})",
                DUCKLAKE_SNAPSHOT.SNAPSHOT_TIME,
                inline((double) settings.neighbourMemory().toSeconds())));
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
