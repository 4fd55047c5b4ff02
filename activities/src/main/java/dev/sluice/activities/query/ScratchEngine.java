package dev.sluice.activities.query;

import dev.sluice.activities.storage.TemporaryFolder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * An embedded DuckDB that gathers rows before it answers. What its memory does not hold it spills
 * to a folder that goes with it. Not thread-safe.
 */
final class ScratchEngine implements AutoCloseable {

  /** Beside a Java heap of 1 GB this leaves room on the smallest machines that run us. */
  private static final long MEMORY_BYTES = 1L << 30;

  private final TemporaryFolder folder;
  private final Connection connection;
  private final List<LakeRelations> relations = new ArrayList<>();

  private ScratchEngine(TemporaryFolder folder, Connection connection) {
    this.folder = folder;
    this.connection = connection;
  }

  static ScratchEngine open() throws SQLException {
    TemporaryFolder folder = TemporaryFolder.create();
    try {
      return new ScratchEngine(
          folder, ScanEngine.open(new EngineLimits(MEMORY_BYTES, folder.path())));
    } catch (SQLException e) {
      folder.close();
      throw e;
    }
  }

  Connection connection() {
    return connection;
  }

  /** Keeps the files of relations on this machine as long as the engine is open. */
  void closeWith(LakeRelations some) {
    relations.add(some);
  }

  /** Runs a statement and tells how many rows it changed. */
  long execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return Math.max(0, statement.getUpdateCount());
    }
  }

  @Override
  public void close() throws SQLException {
    try (folder) {
      connection.close();
    } finally {
      relations.forEach(LakeRelations::close);
    }
  }
}
