package dev.sluice.embedded;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One database of an embedded server, as clients see it. Immutable; safe to share.
 *
 * @param host the loopback address
 * @param port the server's TCP port, or that of a {@link ConnectionCutter} in front of it
 * @param name the database's name
 * @param user the superuser's name
 * @param password a password the server accepts (it trusts every loopback connection)
 */
public record PostgresDatabase(String host, int port, String name, String user, String password) {

  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(30);

  /** The JDBC URL without user and password; no server-side prepared statements are used. */
  public String jdbcUrl() {
    return "jdbc:postgresql://" + host + ":" + port + "/" + name + "?prepareThreshold=0";
  }

  /** The connection string in libpq's form, as DuckDB's ATTACH takes it. */
  public String libpq() {
    return "host=" + host + " port=" + port + " user=" + user + " dbname=" + name;
  }

  /** The same database through another port, e.g. a proxy's. */
  public PostgresDatabase throughPort(int otherPort) {
    return new PostgresDatabase(host, otherPort, name, user, password);
  }

  /** A data source that opens one new connection per call; needs no closing. */
  public DataSource dataSource() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl());
    source.setUser(user);
    source.setPassword(password);
    return source;
  }

  /**
   * A pool of at most so many connections, opened when first needed; the caller closes it.
   *
   * @param poolSize the pool's greatest size, at least 1
   */
  public HikariDataSource dataSource(int poolSize) {
    return dataSource(poolSize, DEFAULT_PATIENCE);
  }

  /**
   * A pool as of {@link #dataSource(int)}.
   *
   * @param patience how long a caller waits for a connection, at least 250 milliseconds
   */
  public HikariDataSource dataSource(int poolSize, Duration patience) {
    HikariConfig config = new HikariConfig();
    config.setConnectionTimeout(patience.toMillis());
    config.setJdbcUrl(jdbcUrl());
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(poolSize);
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1);
    config.setPoolName("embedded-" + name);
    return new HikariDataSource(config);
  }

  /**
   * Opens one connection; the caller closes it.
   *
   * @throws SQLException when the server refuses it
   */
  public Connection connect() throws SQLException {
    return dataSource().getConnection();
  }
}
