package dev.sluice.activities.query;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Opens embedded DuckDB databases that can read local files and nothing else. */
public final class ScanEngine {

  private ScanEngine() {}

  /** A new database in memory, in time zone UTC, that streams its results. */
  static Connection open() throws SQLException {
    return open(new Properties());
  }

  /** The same with bounded memory. */
  public static Connection open(EngineLimits limits) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("memory_limit", limits.memoryBytes() + "B");
    properties.setProperty("temp_directory", limits.folder().toString());
    return open(properties);
  }

  private static Connection open(Properties properties) throws SQLException {
    properties.setProperty("jdbc_stream_results", "true");
    properties.setProperty("autoinstall_known_extensions", "false");
    properties.setProperty("autoload_known_extensions", "false");
    // counts and sums do not need an order, and keeping one costs memory
    properties.setProperty("preserve_insertion_order", "false");
    Connection connection = DriverManager.getConnection("jdbc:duckdb:", properties);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      return connection;
    } catch (SQLException e) {
      try {
        connection.close();
      } catch (SQLException onClose) {
        e.addSuppressed(onClose);
      }
      throw e;
    }
  }
}
