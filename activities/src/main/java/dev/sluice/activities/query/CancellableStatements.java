package dev.sluice.activities.query;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Runs statements of one connection, one at a time; any thread may cancel them for good. */
final class CancellableStatements {

  private final Connection connection;
  private @Nullable Statement running;
  private boolean cancelled;

  CancellableStatements(Connection connection) {
    this.connection = connection;
  }

  /** Reads a result. */
  @FunctionalInterface
  interface Reading<T> {
    T of(ResultSet result) throws SQLException;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = begin(connection.createStatement())) {
      statement.execute(sql);
    } finally {
      end();
    }
  }

  <T> T query(String sql, Reading<T> reading) throws SQLException {
    try (Statement statement = begin(connection.createStatement());
        ResultSet result = statement.executeQuery(sql)) {
      return reading.of(result);
    } finally {
      end();
    }
  }

  /** Notes what runs, so that it can be cancelled; refused when all was cancelled before. */
  <S extends Statement> S begin(S statement) throws SQLException {
    synchronized (this) {
      if (!cancelled) {
        running = statement;
        return statement;
      }
    }
    statement.close();
    throw new SQLException("cancelled");
  }

  synchronized void end() {
    running = null;
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  void cancel() {
    Statement statement;
    synchronized (this) {
      cancelled = true;
      statement = running;
    }
    if (statement != null) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        // it has just ended by itself, which is what was wanted
        return;
      }
    }
  }
}
