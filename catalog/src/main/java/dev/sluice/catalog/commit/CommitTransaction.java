package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.sluice.Tables.COMMIT_LOG;
import static org.jooq.impl.DSL.count;

import dev.sluice.catalog.LakeInfo;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.commit.GroupCommit.Pending;
import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.error.SqlStates;
import dev.sluice.catalog.internal.LakeDatabase;
import dev.sluice.catalog.internal.LakeFormat;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction on the lake: lock first, read afterwards, decide last.
 *
 * <p>READ COMMITTED, so that every statement after the lock sees what the lock's former holders
 * committed. All time-outs are set for this transaction only, and the server enforces them: a
 * process that stalls inside cannot block the lake for longer.
 */
final class CommitTransaction {

  private static final Logger LOG = LoggerFactory.getLogger(CommitTransaction.class);

  /** PostgreSQL 17. */
  private static final int TRANSACTION_TIMEOUT_SINCE = 17;

  private final DataSource dataSource;
  private final LakeInfo lake;
  private final CommitSettings settings;
  private final GoodNeighbour neighbour;
  private final LayoutCache cache = new LayoutCache();
  private final OwnTables own = new OwnTables();

  CommitTransaction(DataSource dataSource, LakeInfo lake, CommitSettings settings) {
    this.dataSource = dataSource;
    this.lake = lake;
    this.settings = settings;
    this.neighbour = new GoodNeighbour(settings, lake.key());
  }

  /** Runs the group; afterwards each request has its result or its failure. */
  void run(List<Pending> group) {
    if (!runTogether(group)) {
      // one of them spoilt the transaction for all; who it was shows when each has its own
      for (Pending pending : group) {
        pending.again();
        runTogether(List.of(pending));
      }
    }
  }

  /** Whether it is settled; a group whose transaction was spoilt by one of several is not. */
  private boolean runTogether(List<Pending> group) {
    boolean committed = false;
    try (Connection connection = LakeDatabase.connect(dataSource)) {
      connection.setAutoCommit(false);
      try {
        GroupWork work = enter(connection, group);
        Instant begun = settings.clock().instant();
        boolean written;
        try {
          written = work.run(group);
        } catch (RuntimeException | Error spoilt) {
          if (group.size() > 1) {
            LOG.debug("a group's transaction is given up, each request gets its own", spoilt);
            rollback(connection, spoilt);
            forget();
            return false;
          }
          throw spoilt;
        }
        if (written) {
          commit(connection);
          committed = true;
          own.committed(work.newest().id());
          neighbour.held(Duration.between(begun, settings.clock().instant()));
        } else {
          connection.rollback();
        }
      } catch (Throwable failure) {
        rollback(connection, failure);
        throw failure;
      } finally {
        restore(connection);
      }
    } catch (Throwable failure) {
      if (committed) {
        LOG.warn("a connection could not be given back after a commit", failure);
        return true;
      }
      forget();
      // what failed by itself keeps its own reason; the rest fails with the transaction
      group.stream()
          .filter(pending -> pending.failure() == null)
          .forEach(pending -> pending.failed(failure));
    }
    return true;
  }

  private void forget() {
    cache.clear();
    own.clear();
  }

  /** Takes the lock and learns, in the same round trip, what the group builds on. */
  private GroupWork enter(Connection connection, List<Pending> group) throws SQLException {
    DSLContext dsl = LakeDatabase.dsl(connection, lake.key());
    OpenTransaction transaction = new OpenTransaction(connection, dsl, lake, cache, own);
    RoundTrip trip = transaction.roundTrip();
    lock(trip, connection);
    trip.read(LakeFormat.query(dsl), this::requireSameLake);
    Entry entry = new Entry();
    trip.read(
        SnapshotRows.newestQuery(dsl),
        found -> entry.newest = SnapshotRows.newest(found, lake.key()));
    List<String> keys =
        group.stream()
            .map(pending -> pending.request().idempotencyKey())
            .filter(Objects::nonNull)
            .toList();
    trip.read(
        dsl.select(COMMIT_LOG.IDEMPOTENCY_KEY, COMMIT_LOG.SNAPSHOT_ID)
            .from(COMMIT_LOG)
            .where(COMMIT_LOG.LAKE.eq(lake.key()).and(COMMIT_LOG.IDEMPOTENCY_KEY.in(keys))),
        found ->
            entry.committed.putAll(
                found.intoMap(COMMIT_LOG.IDEMPOTENCY_KEY, COMMIT_LOG.SNAPSHOT_ID)));
    if (own.seenUpTo() >= 0) {
      trip.read(
          dsl.select(count())
              .from(COMMIT_LOG)
              .where(COMMIT_LOG.LAKE.eq(lake.key()))
              .and(COMMIT_LOG.SNAPSHOT_ID.gt(own.seenUpTo())),
          found -> entry.ours = found.get(0).get(0, Long.class));
    }
    neighbour.ask(trip, dsl);
    trip.run();
    Snapshot newest = Objects.requireNonNull(entry.newest);
    own.begin(newest.id(), entry.ours);
    if (waitForNeighbours(dsl, newest)) {
      newest = SnapshotRows.newest(transaction);
      if (newest.id() != own.seenUpTo()) {
        own.clear();
      }
    }
    cache.begin(newest);
    return new GroupWork(transaction, neighbour, newest, entry.committed);
  }

  /** What is read on entering. */
  private static final class Entry {
    private @Nullable Snapshot newest;
    private final Map<String, Long> committed = new HashMap<>();
    private long ours;
  }

  /** Somebody may have migrated or moved the lake since it was opened. */
  private void requireSameLake(Result<Record> options) {
    String dataPath = LakeFormat.check(options, lake.key());
    if (!dataPath.equals(lake.dataPath())) {
      throw CatalogErrors.movedLake(lake.key(), lake.dataPath(), dataPath);
    }
  }

  /** An interrupt shortens the courtesy, not the commit: other threads' requests are in it. */
  private boolean waitForNeighbours(DSLContext dsl, Snapshot newest) {
    try {
      return neighbour.waitFor(dsl, newest);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Isolation, time-outs and the lake's lock; all of it ends with COMMIT. */
  private void lock(RoundTrip trip, Connection connection) throws SQLException {
    trip.change("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", List.of());
    trip.change("SET LOCAL lock_timeout = " + millis(settings.lockTimeout()), List.of());
    trip.change("SET LOCAL statement_timeout = " + millis(settings.statementTimeout()), List.of());
    trip.change(
        "SET LOCAL idle_in_transaction_session_timeout = " + millis(settings.idleTimeout()),
        List.of());
    if (connection.getMetaData().getDatabaseMajorVersion() >= TRANSACTION_TIMEOUT_SINCE) {
      // a bound for the whole, where the server knows it: the lock, then two statements
      Duration whole = settings.lockTimeout().plus(settings.statementTimeout().multipliedBy(2));
      trip.change("SET LOCAL transaction_timeout = " + millis(whole), List.of());
    }
    trip.change(
        "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", List.of("sluice:" + lake.key()));
  }

  private static void commit(Connection connection) throws SQLException {
    try {
      connection.commit();
    } catch (SQLException e) {
      if (SqlStates.leavesCommitInDoubt(e)) {
        throw new CommitInDoubt(e);
      }
      throw e;
    } catch (RuntimeException e) {
      throw new CommitInDoubt(e);
    }
  }

  private static void rollback(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private static void restore(Connection connection) {
    try {
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      // the connection is broken; the pool finds that out when it takes it back
      LOG.debug("connection not restored after a commit", e);
    }
  }

  private static long millis(Duration duration) {
    return duration.toMillis();
  }
}
