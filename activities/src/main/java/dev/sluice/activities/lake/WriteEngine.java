package dev.sluice.activities.lake;

import dev.sluice.activities.query.EngineLimits;
import dev.sluice.activities.query.LakeRelations;
import dev.sluice.activities.query.ScanEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** One write's own DuckDB: bounded memory, a folder of its own for the rest. Not thread-safe. */
final class WriteEngine implements AutoCloseable {

  private final Path folder;
  private final Connection connection;
  private final List<LakeRelations> relations = new ArrayList<>();

  private WriteEngine(Path folder, Connection connection) {
    this.folder = folder;
    this.connection = connection;
  }

  static WriteEngine open(String doing, WriteSettings settings) {
    Path folder = settings.folder().resolve("write-" + UUID.randomUUID());
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw WriteErrors.folderUnusable(folder, e);
    }
    try {
      WriteLimits limits = settings.limits();
      WriteEngine engine =
          new WriteEngine(
              folder,
              ScanEngine.open(new EngineLimits(limits.memoryBytes(), folder.resolve("spill"))));
      if (limits.temporaryBytes() != null) {
        engine.execute("SET max_temp_directory_size = '" + limits.temporaryBytes() + "B'");
      }
      return engine;
    } catch (SQLException e) {
      throw WriteErrors.engineFailed(doing, e);
    }
  }

  /** A folder that vanishes with this engine. */
  Path folder() {
    return folder;
  }

  Connection connection() {
    return connection;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The same for a table that is made of an ordered SELECT and shall have its rows in order. */
  void executeInOrder(String sql) throws SQLException {
    execute("SET preserve_insertion_order = true");
    try {
      execute(sql);
    } finally {
      execute("SET preserve_insertion_order = false");
    }
  }

  /** Reads one row of a result. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  <T> List<T> query(String sql, RowReader<T> reader) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        rows.add(reader.read(result));
      }
    }
    return rows;
  }

  long number(String sql) throws SQLException {
    return query(sql, row -> row.getLong(1)).get(0);
  }

  /** Keeps the files of relations on this machine as long as the engine is open. */
  void closeWith(LakeRelations some) {
    relations.add(some);
  }

  DuckDBAppender appender(String table) throws SQLException {
    return connection.unwrap(DuckDBConnection.class).createAppender("main", table);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw WriteErrors.engineFailed("closing DuckDB", e);
    } finally {
      relations.forEach(LakeRelations::close);
      remove(folder);
    }
  }

  /** Removes a folder and everything in it. */
  static void remove(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw WriteErrors.folderUnusable(folder, e);
    }
  }
}
