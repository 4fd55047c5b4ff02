package dev.sluice.embedded;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The referee: one in-process DuckDB with the postgres, httpfs and ducklake extensions loaded. Each
 * session is a database instance of its own, so two sessions are two independent clients. Not
 * thread-safe.
 *
 * <p>SQL failures come as {@link SQLException} with DuckDB's own message, so that tests can assert
 * it.
 */
public final class DuckLakeSession implements AutoCloseable {

  // DuckDB hashes a hundred megabytes to check the signatures, at every LOAD
  private static final Set<Path> CHECKED = ConcurrentHashMap.newKeySet();

  private final Connection connection;

  private DuckLakeSession(Connection connection) {
    this.connection = connection;
  }

  /**
   * Opens a session with the referee's extensions, in time zone UTC.
   *
   * @throws EmbeddedStackException when the extensions cannot be had
   */
  public static DuckLakeSession open() throws SQLException {
    return open(DuckDbExtension.REFEREE);
  }

  /**
   * Opens a session with chosen extensions, loaded in the given order. Their signatures are checked
   * by the JVM's first session that loads them.
   *
   * @throws EmbeddedStackException when the extensions cannot be had
   */
  public static DuckLakeSession open(List<DuckDbExtension> extensions) throws SQLException {
    DuckDbExtensions files = DuckDbExtensions.ofProject();
    files.require(extensions);
    List<Path> paths = extensions.stream().map(files::file).toList();
    DuckLakeSession session =
        new DuckLakeSession(
            CHECKED.containsAll(paths)
                ? DuckDbEngine.connectForCheckedExtensions()
                : DuckDbEngine.connect());
    try {
      for (Path path : paths) {
        session.execute("LOAD " + DuckDbEngine.literal(path.toString()));
      }
      CHECKED.addAll(paths);
      session.timeZone("UTC");
      return session;
    } catch (SQLException e) {
      try {
        session.close();
      } catch (SQLException onClose) {
        e.addSuppressed(onClose);
      }
      throw e;
    }
  }

  /**
   * Lets the session read and write an embedded S3 endpoint by {@code s3://} paths.
   *
   * @return this session
   */
  public DuckLakeSession useS3(EmbeddedS3 s3) throws SQLException {
    execute(
        "CREATE OR REPLACE SECRET embedded_s3 (TYPE s3, KEY_ID "
            + DuckDbEngine.literal(s3.accessKey())
            + ", SECRET "
            + DuckDbEngine.literal(s3.secretKey())
            + ", ENDPOINT "
            + DuckDbEngine.literal(s3.authority())
            + ", REGION "
            + DuckDbEngine.literal(s3.region())
            + ", URL_STYLE 'path', USE_SSL false)");
    return this;
  }

  /**
   * Sets the session's time zone, e.g. {@code America/New_York}.
   *
   * @return this session
   */
  public DuckLakeSession timeZone(String zone) throws SQLException {
    execute("SET TimeZone = " + DuckDbEngine.literal(zone));
    return this;
  }

  /**
   * Attaches a lake, making it when its database is empty, and makes it the session's default.
   *
   * @return this session
   */
  public DuckLakeSession attach(DuckLakeAttachment lake) throws SQLException {
    execute(lake.attachStatement());
    execute("USE " + DuckDbEngine.identifier(lake.alias()));
    return this;
  }

  /** Detaches a lake; the session's default becomes its own memory again. */
  public void detach(String alias) throws SQLException {
    execute("USE memory");
    execute("DETACH " + DuckDbEngine.identifier(alias));
  }

  /** Runs one statement or several separated by semicolons; results are dropped. */
  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Runs a query and returns its rows with the values as the JDBC driver gives them. Zoned, nested
   * and very wide values lose something on that way: {@link #queryText(String)} does not.
   */
  public List<List<@Nullable Object>> query(String sql) throws SQLException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int width = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<@Nullable Object> row = new ArrayList<>(width);
        for (int column = 1; column <= width; column++) {
          row.add(result.getObject(column));
        }
        rows.add(Collections.unmodifiableList(row));
      }
    }
    return Collections.unmodifiableList(rows);
  }

  /**
   * Runs a query and returns its rows as DuckDB's own text of each value (its cast to VARCHAR); SQL
   * NULL is null. Statements that cannot stand in a FROM clause (CALL, PRAGMA) are refused by
   * DuckDB here: write them as {@code FROM function(…)}.
   */
  public List<List<@Nullable String>> queryText(String sql) throws SQLException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + withoutSemicolon(sql) + "\n)")) {
      int width = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<@Nullable String> row = new ArrayList<>(width);
        for (int column = 1; column <= width; column++) {
          row.add(result.getString(column));
        }
        rows.add(Collections.unmodifiableList(row));
      }
    }
    return Collections.unmodifiableList(rows);
  }

  /** The names of a query's columns, in order. */
  public List<String> columns(String sql) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("SELECT * FROM (" + withoutSemicolon(sql) + "\n) LIMIT 0")) {
      for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
        names.add(result.getMetaData().getColumnName(column));
      }
    }
    return List.copyOf(names);
  }

  /**
   * The one value of a query of one row and one column, as DuckDB's text; null for SQL NULL.
   *
   * @throws SQLException when the query gives another shape
   */
  public @Nullable String valueText(String sql) throws SQLException {
    List<List<@Nullable String>> rows = queryText(sql);
    if (rows.size() != 1 || rows.get(0).size() != 1) {
      throw new SQLException(
          String.format(
              Locale.ROOT,
              "required: one row of one column; actual: %d rows; query: %s",
              rows.size(),
              sql));
    }
    return rows.get(0).get(0);
  }

  /** The connection itself, for what the methods here do not cover; closed with the session. */
  public Connection connection() {
    return connection;
  }

  /** Ends the session; its attached lakes stay as they are. */
  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private static String withoutSemicolon(String sql) {
    String stripped = sql.strip();
    return stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : stripped;
  }
}
