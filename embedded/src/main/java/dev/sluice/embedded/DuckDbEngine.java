package dev.sluice.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Opens DuckDB connections that never reach out to the network by themselves. */
final class DuckDbEngine {

  private DuckDbEngine() {}

  static Connection connect() throws SQLException {
    return connect(new Properties());
  }

  /**
   * Opens a connection that loads extensions without checking their signatures, for files that this
   * JVM has already loaded with the check.
   */
  static Connection connectForCheckedExtensions() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("allow_unsigned_extensions", "true");
    return connect(properties);
  }

  private static Connection connect(Properties properties) throws SQLException {
    properties.setProperty("autoinstall_known_extensions", "false");
    properties.setProperty("autoload_known_extensions", "false");
    return DriverManager.getConnection("jdbc:duckdb:", properties);
  }

  /** The engine's version as its extensions name it, e.g. {@code v1.5.5}. */
  static String version() {
    return Version.OF_THE_CLASS_PATH;
  }

  private static String askedVersion() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT library_version FROM pragma_version()")) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw EmbeddedErrors.statementFailed("DuckDB", e);
    }
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static String identifier(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  private static final class Version {
    private static final String OF_THE_CLASS_PATH = askedVersion();
  }
}
