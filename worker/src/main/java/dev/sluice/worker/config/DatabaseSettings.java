package dev.sluice.worker.config;

import dev.sluice.activities.storage.Secret;
import java.util.Locale;
import java.util.Objects;

/**
 * How to reach a PostgreSQL database.
 *
 * @param host name or address
 * @param port TCP port
 * @param name the database
 * @param user the role
 * @param password its password
 * @param sslMode how the connection is encrypted
 * @param poolSize greatest number of connections of the pool, at least 1
 */
public record DatabaseSettings(
    String host,
    int port,
    String name,
    String user,
    Secret password,
    SslMode sslMode,
    int poolSize) {
  /** Connections of a pool unless configured otherwise: transactions are short. */
  public static final int DEFAULT_POOL_SIZE = 10;

  static final int DEFAULT_PORT = 5432;

  /** How a connection is encrypted, in PostgreSQL's words. */
  public enum SslMode {
    DISABLE,
    PREFER,
    REQUIRE,
    VERIFY_CA,
    VERIFY_FULL;

    boolean encrypted() {
      return this != DISABLE && this != PREFER;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Checks presence. */
  public DatabaseSettings {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    Objects.requireNonNull(sslMode, "sslMode");
  }

  /**
   * The JDBC URL without user and password. No server-side prepared statements are used, so that a
   * pooler in transaction mode may stand between.
   */
  public String jdbcUrl() {
    return "jdbc:postgresql://"
        + address()
        + "?prepareThreshold=0&sslmode="
        + sslMode.word()
        + "&ApplicationName=sluice";
  }

  /** Host, port and database, for people. */
  public String address() {
    return host + ":" + port + "/" + name;
  }
}
