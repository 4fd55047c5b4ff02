package dev.sluice.catalog.commit;

import dev.sluice.catalog.LakeInfo;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.commit.GroupCommit.Pending;
import dev.sluice.catalog.internal.LakeDatabase;
import dev.sluice.catalog.internal.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
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

  private final DataSource dataSource;
  private final LakeInfo lake;
  private final CommitSettings settings;
  private final GoodNeighbour neighbour;

  CommitTransaction(DataSource dataSource, LakeInfo lake, CommitSettings settings) {
    this.dataSource = dataSource;
    this.lake = lake;
    this.settings = settings;
    this.neighbour = new GoodNeighbour(settings);
  }

  /** Runs the group; afterwards each request has its result or its failure. */
  void run(List<Pending> group) {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      try {
        work(connection, group);
        if (group.stream().anyMatch(pending -> pending.failure() == null)) {
          commit(connection);
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
      // what failed by itself keeps its own reason; the rest fails with the transaction
      group.stream()
          .filter(pending -> pending.failure() == null)
          .forEach(pending -> pending.failed(failure));
    }
  }

  private void work(Connection connection, List<Pending> group)
      throws SQLException, InterruptedException {
    DSLContext dsl = LakeDatabase.dsl(connection, lake.key());
    enter(connection);
    Snapshot newest = SnapshotRows.newest(dsl, lake.key());
    neighbour.waitFor(dsl, newest);
    for (Pending pending : group) {
      Savepoint savepoint = group.size() > 1 ? connection.setSavepoint() : null;
      try {
        pending.succeeded(new CommitAttempt(connection, dsl, lake, pending.request()).run());
      } catch (RuntimeException failure) {
        pending.failed(failure);
        if (savepoint == null) {
          return;
        }
        connection.rollback(savepoint);
      }
    }
  }

  /** Time-outs and the lake's lock, in one round trip. */
  private void enter(Connection connection) throws SQLException {
    String key = ("sluice:" + lake.key()).replace("'", "''");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "SET LOCAL lock_timeout = "
              + millis(settings.lockTimeout())
              + "; SET LOCAL statement_timeout = "
              + millis(settings.statementTimeout())
              + "; SET LOCAL idle_in_transaction_session_timeout = "
              + millis(settings.idleTimeout())
              + "; SELECT pg_advisory_xact_lock(hashtextextended('"
              + key
              + "', 0))");
    }
  }

  private static void commit(Connection connection) throws SQLException {
    try {
      connection.commit();
    } catch (SQLException e) {
      if (SqlStates.leavesCommitInDoubt(e)) {
        throw new CommitInDoubt(e);
      }
      throw e;
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
