package dev.sluice.catalog.commit;

import dev.sluice.catalog.LakeInfo;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.commit.GroupCommit.Pending;
import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.error.SqlStates;
import dev.sluice.catalog.internal.LakeDatabase;
import dev.sluice.catalog.internal.LakeFormat;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
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

  CommitTransaction(DataSource dataSource, LakeInfo lake, CommitSettings settings) {
    this.dataSource = dataSource;
    this.lake = lake;
    this.settings = settings;
    this.neighbour = new GoodNeighbour(settings, lake.key());
  }

  /** Runs the group; afterwards each request has its result or its failure. */
  void run(List<Pending> group) {
    boolean committed = false;
    try (Connection connection = LakeDatabase.connect(dataSource)) {
      connection.setAutoCommit(false);
      try {
        Instant begun = enter(connection, group);
        if (group.stream().anyMatch(pending -> pending.failure() == null)) {
          commit(connection);
          committed = true;
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
        return;
      }
      cache.clear();
      // what failed by itself keeps its own reason; the rest fails with the transaction
      group.stream()
          .filter(pending -> pending.failure() == null)
          .forEach(pending -> pending.failed(failure));
    }
  }

  /** Takes the lock and does the group's work; returns when the first snapshot was claimed. */
  private Instant enter(Connection connection, List<Pending> group) throws SQLException {
    DSLContext dsl = LakeDatabase.dsl(connection, lake.key());
    lock(connection);
    requireSameLake(dsl);
    waitForNeighbours(dsl, SnapshotRows.newest(dsl, lake.key()));
    Instant begun = settings.clock().instant();
    cache.begin(SnapshotRows.newest(dsl, lake.key()));
    work(connection, dsl, group);
    if (group.stream().anyMatch(pending -> pending.failure() == null)) {
      neighbour.lookForLosers(dsl);
    }
    return begun;
  }

  private void work(Connection connection, DSLContext dsl, List<Pending> group)
      throws SQLException {
    for (Pending pending : group) {
      Savepoint savepoint = group.size() > 1 ? connection.setSavepoint() : null;
      try {
        pending.succeeded(new CommitAttempt(connection, dsl, lake, cache, pending.request()).run());
      } catch (RuntimeException | Error failure) {
        // also an error of a step is its own request's failure, not that of the group
        pending.failed(failure);
        if (savepoint == null) {
          return;
        }
        connection.rollback(savepoint);
      }
    }
  }

  /** Somebody may have migrated or moved the lake since it was opened. */
  private void requireSameLake(DSLContext dsl) {
    String dataPath = LakeFormat.check(dsl, lake.key());
    if (!dataPath.equals(lake.dataPath())) {
      throw CatalogErrors.movedLake(lake.key(), lake.dataPath(), dataPath);
    }
  }

  /** An interrupt shortens the courtesy, not the commit: other threads' requests are in it. */
  private void waitForNeighbours(DSLContext dsl, Snapshot newest) {
    try {
      neighbour.waitFor(dsl, newest);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Isolation, time-outs and the lake's lock, in one round trip; all of it ends with COMMIT. */
  private void lock(Connection connection) throws SQLException {
    String key = ("sluice:" + lake.key()).replace("'", "''");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = "
              + millis(settings.lockTimeout())
              + "; SET LOCAL statement_timeout = "
              + millis(settings.statementTimeout())
              + "; SET LOCAL idle_in_transaction_session_timeout = "
              + millis(settings.idleTimeout())
              + transactionTimeout(connection)
              + "; SELECT pg_advisory_xact_lock(hashtextextended('"
              + key
              + "', 0))");
    }
  }

  /** A bound for the whole transaction, where the server knows it: lock, then two statements. */
  private String transactionTimeout(Connection connection) throws SQLException {
    if (connection.getMetaData().getDatabaseMajorVersion() < TRANSACTION_TIMEOUT_SINCE) {
      return "";
    }
    Duration whole = settings.lockTimeout().plus(settings.statementTimeout().multipliedBy(2));
    return "; SET LOCAL transaction_timeout = " + millis(whole);
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
