package dev.sluice.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An embedded PostgreSQL 18 server on the loopback address, durable like a real one ({@code
 * synchronous_commit} and {@code fsync} are on). Runs as any user, root included. Thread-safe.
 *
 * <p>A server with a temporary folder removes it when closed or when the JVM ends; one left behind
 * by a killed JVM is ended and removed by the next start.
 */
public final class EmbeddedDatabase implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedDatabase.class);
  private static final String HOST = "127.0.0.1";
  private static final String SUPERUSER = "postgres";
  private static final String MAINTENANCE_DATABASE = "postgres";
  // Names stay plain so that they never need quoting in a connection string.
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  // A busy two-core machine has been seen to need more than zonky's ten seconds.
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final EmbeddedDatabaseOptions options;
  private final @Nullable ScratchFolder scratch;
  private final Path dataFolder;
  private final int port;
  private final Thread endOfJvm;
  private final AtomicInteger databases = new AtomicInteger();
  private final Map<String, PostgresDatabase> templates = new ConcurrentHashMap<>();
  private @Nullable EmbeddedPostgres running;

  private EmbeddedDatabase(EmbeddedDatabaseOptions options) {
    this.options = options;
    Path kept = options.folder();
    if (kept == null) {
      ScratchFolder own = ScratchFolder.create("postgres");
      this.scratch = own;
      this.dataFolder = own.path().resolve("data");
    } else {
      this.scratch = null;
      this.dataFolder = dataFolderIn(kept);
    }
    EmbeddedPostgres first = launch(options.port());
    this.running = first;
    this.port = first.getPort();
    this.endOfJvm = new Thread(this::stopAndClean, "embedded-postgres-end");
    Runtime.getRuntime().addShutdownHook(endOfJvm);
  }

  /**
   * Starts a server with default options.
   *
   * @throws EmbeddedStackException when it does not come up
   */
  public static EmbeddedDatabase start() {
    return start(EmbeddedDatabaseOptions.defaults());
  }

  /**
   * Starts a server.
   *
   * @throws EmbeddedStackException when it does not come up, e.g. because the port is taken
   */
  public static EmbeddedDatabase start(EmbeddedDatabaseOptions options) {
    return new EmbeddedDatabase(options);
  }

  /**
   * The one server all tests of a JVM share; it lives until the JVM ends. Do not close it. Unlike
   * others it does not wait for the disk: it would lose commits with the machine's power, but not
   * with its own processes.
   */
  public static EmbeddedDatabase shared() {
    return Shared.INSTANCE;
  }

  /** The loopback address. */
  public String host() {
    return HOST;
  }

  /** The TCP port; stays the same over a restart. */
  public int port() {
    return port;
  }

  /** The superuser's name. */
  public String user() {
    return SUPERUSER;
  }

  /** A password the server accepts; it trusts every loopback connection. */
  public String password() {
    return SUPERUSER;
  }

  /** The folder that holds the server's data. */
  public Path dataFolder() {
    return dataFolder;
  }

  /** An existing database, not checked for existence. */
  public PostgresDatabase database(String name) {
    return new PostgresDatabase(HOST, port, checkedName(name), SUPERUSER, SUPERUSER);
  }

  /**
   * Makes an empty database.
   *
   * @param name lower-case letters, digits and underscores
   * @throws EmbeddedStackException when it exists already or the name is refused
   */
  public PostgresDatabase createDatabase(String name) {
    PostgresDatabase created = database(name);
    maintain("CREATE DATABASE " + name + " TEMPLATE template0");
    return created;
  }

  /** Makes the database unless it is there, e.g. in a server kept between runs. */
  public PostgresDatabase createDatabaseIfMissing(String name) {
    PostgresDatabase wanted = database(name);
    try (Connection connection = database(MAINTENANCE_DATABASE).connect();
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + name + "'")) {
      if (found.next()) {
        return wanted;
      }
    } catch (SQLException e) {
      throw EmbeddedErrors.statementFailed("embedded PostgreSQL on port " + port, e);
    }
    return createDatabase(name);
  }

  /** Makes an empty database with a name of its own, for one test. */
  public PostgresDatabase newDatabase() {
    return createDatabase(ownName());
  }

  /**
   * Makes a database with a name of its own that holds what the template does. The first caller
   * that names a template has it filled; callers must fill one name with the same.
   *
   * @param template names it, as a database's name
   * @param filling leaves no connection open
   */
  public PostgresDatabase newDatabase(String template, Consumer<PostgresDatabase> filling) {
    PostgresDatabase filled =
        templates.computeIfAbsent(
            template,
            name -> {
              PostgresDatabase made = createDatabase("template_" + name);
              filling.accept(made);
              return made;
            });
    PostgresDatabase copy = database(ownName());
    maintain("CREATE DATABASE " + copy.name() + " TEMPLATE " + filled.name());
    return copy;
  }

  /** Removes a database, ending its connections; does nothing when it is not there. */
  public void dropDatabase(String name) {
    maintain("DROP DATABASE IF EXISTS " + checkedName(name) + " WITH (FORCE)");
  }

  /**
   * Stops the server in order if it runs, then starts it again on the same port and data. After
   * {@link #kill()} this is the recovery from a crash.
   *
   * @throws EmbeddedStackException when it does not come up again
   */
  public synchronized void restart() {
    Optional<ProcessHandle> postmaster = ScratchFolder.postmasterIn(dataFolder);
    stop();
    // a busy disk's last checkpoint outlasts zonky's patience, and two servers fit in no data
    // folder
    postmaster.ifPresent(this::awaitEnd);
    running = launch(port);
  }

  private void awaitEnd(ProcessHandle postmaster) {
    try {
      postmaster.onExit().get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw EmbeddedErrors.databaseNotStopped(dataFolder, e);
    } catch (ExecutionException | TimeoutException e) {
      throw EmbeddedErrors.databaseNotStopped(dataFolder, e);
    }
  }

  /**
   * Kills the server's processes at once, as a crash of the machine's software would: open
   * transactions are lost, acknowledged commits are not. {@link #restart()} brings it back.
   */
  public synchronized void kill() {
    EmbeddedPostgres server = running;
    if (server == null) {
      throw EmbeddedErrors.databaseDown(dataFolder);
    }
    ScratchFolder.postmasterIn(dataFolder).ifPresent(ScratchFolder::endWithChildren);
    running = null;
    try {
      // Its stop fails by intent (nothing runs any more); it also gives up zonky's file lock.
      log.info("the next complaint about a postmaster that cannot be stopped is expected");
      server.close();
    } catch (IOException e) {
      throw EmbeddedErrors.databaseNotStopped(dataFolder, e);
    }
  }

  /** Stops the server; a temporary folder is removed, a kept one stays. */
  @Override
  public void close() {
    stopAndClean();
    try {
      Runtime.getRuntime().removeShutdownHook(endOfJvm);
    } catch (IllegalStateException jvmIsEnding) {
      log.trace("the JVM ends, the hook runs", jvmIsEnding);
    }
  }

  private synchronized void stopAndClean() {
    stop();
    if (scratch != null) {
      scratch.close();
    }
  }

  private void stop() {
    EmbeddedPostgres server = running;
    running = null;
    if (server != null) {
      try {
        server.close();
      } catch (IOException e) {
        throw EmbeddedErrors.databaseNotStopped(dataFolder, e);
      }
    }
  }

  private EmbeddedPostgres launch(int wantedPort) {
    try {
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setPort(wantedPort)
              .setDataDirectory(dataFolder)
              .setCleanDataDirectory(false)
              .setRegisterShutdownHook(false)
              .setPGStartupWait(START_LIMIT)
              .setLocaleConfig("locale", "C")
              .setServerConfig("listen_addresses", HOST)
              // No socket files that would pile up in the temporary folder.
              .setServerConfig("unix_socket_directories", "")
              // zonky's own defaults are -F and synchronous_commit=off; later settings win.
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("timezone", "UTC");
      options.settings().forEach(builder::setServerConfig);
      return builder.start();
    } catch (IOException | IllegalStateException e) {
      throw EmbeddedErrors.databaseNotStarted(dataFolder, e);
    }
  }

  private void maintain(String sql) {
    try (Connection connection = database(MAINTENANCE_DATABASE).connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw EmbeddedErrors.statementFailed("embedded PostgreSQL on port " + port, e);
    }
  }

  private String ownName() {
    return String.format(
        Locale.ROOT, "t_%d_%d", ProcessHandle.current().pid(), databases.incrementAndGet());
  }

  private static Path dataFolderIn(Path kept) {
    try {
      return Files.createDirectories(kept).toAbsolutePath();
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(kept, e);
    }
  }

  private static String checkedName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw EmbeddedErrors.badName("database", name, "matches " + NAME.pattern());
    }
    return name;
  }

  private static final class Shared {
    private static final EmbeddedDatabase INSTANCE =
        start(EmbeddedDatabaseOptions.defaults().with("fsync", "off"));
  }
}
