package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.catalog.Catalog;
import dev.sluice.embedded.ActivityOptionsChange;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.workflows.naming.WorkflowIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Lakes that may not or cannot be written: the failure is written down all the same. */
class RegisterLakeStatesTest {

  @TempDir private static Path scratch;
  private static RegisterFixture path;

  @BeforeAll
  static void start() throws SQLException {
    // a lake that is away is asked for several times, and stays away here
    path =
        RegisterFixture.local(
            scratch,
            new RegisterFixture.Faults(
                UnaryOperator.identity(), ActivityOptionsChange.pausing(Duration.ofMillis(50))));
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @AfterEach
  void withoutFaults() {
    path.lakeFault = lake -> lake;
  }

  private static Source live(String table) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", "SELECT 1 AS id");
    path.write(source, 200, "a.parquet", "SELECT 2 AS id");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  private static void opening(Supplier<Catalog> catalog) {
    path.lakeFault =
        lake ->
            new LakeAccess(lake.name(), catalog.get(), lake.store(), lake.state(), lake.probe());
  }

  /** Refused while a metadata row of the live lake says something else; opened for every stage. */
  private static String refusedWhile(Source source, String key, String value) throws SQLException {
    String former = change(key, value);
    try (HikariDataSource pool = path.lakeDatabase.dataSource(1)) {
      opening(() -> Catalog.open(pool, "public"));
      return Refusal.of(path, source, source.trigger(200));
    } finally {
      change(key, former);
    }
  }

  private static String change(String key, String value) throws SQLException {
    String former =
        rows(path.lakeDatabase, "SELECT value FROM ducklake_metadata WHERE key = '" + key + "'");
    run(
        path.lakeDatabase,
        "UPDATE ducklake_metadata SET value = '%s' WHERE key = '%s'".formatted(value, key));
    return former;
  }

  @Test
  void olderLakeIsRefusedWithTheRemedy() throws Exception {
    assertThat(refusedWhile(live("older"), "version", "0.3"))
        .contains("0.3")
        .contains("1.0")
        .contains("migrate it with DuckDB");
  }

  @Test
  void newerLakeIsRefused() throws Exception {
    assertThat(refusedWhile(live("newer"), "version", "1.1")).contains("1.1").contains("1.0");
  }

  @Test
  void encryptedLakeIsRefused() throws Exception {
    assertThat(refusedWhile(live("sealed"), "encrypted", "true")).contains("encrypted");
  }

  @Test
  @DisplayName("CAT-10: a wrong host, a wrong database and a failing statement tell no password")
  void cat10ThePasswordIsFoundNowhere() throws Exception {
    ListAppender<ILoggingEvent> logged = new ListAppender<>();
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    logged.start();
    root.addAppender(logged);
    try {
      Source wrongHost = live("wrong_host");
      assertThat(refusedBy(wrongHost, withSecret("127.0.0.1", 1, "lake"))).contains("unreachable");
      Source wrongDatabase = live("wrong_database");
      PostgresDatabase right = path.lakeDatabase;
      assertThat(refusedBy(wrongDatabase, withSecret(right.host(), right.port(), "no_such_lake")))
          .contains("user, password or database name is wrong");
      Source failing = live("failing_statement");
      PostgresDatabase broken = EmbeddedDatabase.shared().newDatabase();
      Catalog.create(broken.dataSource(), "public", path.lakeRoot.resolve("other").uri());
      run(broken, "ALTER TABLE ducklake_table RENAME COLUMN table_name TO gone");
      assertThat(refusedBy(failing, withSecret(broken.host(), broken.port(), broken.name())))
          .contains("the catalog database failed with SQLSTATE 42703");

      List<String> everything = new ArrayList<>();
      for (Source source : List.of(wrongHost, wrongDatabase, failing)) {
        everything.add(
            path.client()
                .fetchHistory(WorkflowIds.of(source.trigger(200)))
                .getHistory()
                .toString());
      }
      everything.add(dump(path.homeDatabase));
      everything.add(dump(path.lakeDatabase));
      everything.add(dump(broken));
      everything.add(fileNames());
      for (ILoggingEvent event : List.copyOf(logged.list)) {
        if (event.getLevel().isGreaterOrEqual(Level.DEBUG)) {
          everything.add(event.getFormattedMessage() + " " + thrown(event));
        }
      }
      assertThat(everything).hasSizeGreaterThan(7);
      assertThat(everything).noneMatch(text -> text.contains(RegisterFixture.SECRET));
      assertThat(everything.getFirst()).as("what is searched").contains("unreachable");
    } finally {
      root.detachAppender(logged);
    }
  }

  private static String refusedBy(Source source, PostgresDatabase database) throws SQLException {
    opening(() -> Catalog.open(database.dataSource(), "public"));
    try {
      return Refusal.of(path, source, source.trigger(200));
    } finally {
      path.lakeFault = lake -> lake;
    }
  }

  /** The embedded server trusts everyone, so the password need not be right to be told. */
  private static PostgresDatabase withSecret(String host, int port, String name) {
    return new PostgresDatabase(host, port, name, path.lakeDatabase.user(), RegisterFixture.SECRET);
  }

  private static String thrown(ILoggingEvent event) {
    List<String> messages = new ArrayList<>();
    for (var proxy = event.getThrowableProxy(); proxy != null; proxy = proxy.getCause()) {
      messages.add(proxy.getMessage());
    }
    return String.join(" ", messages);
  }

  private static String fileNames() throws IOException {
    try (Stream<Path> files = Files.walk(scratch)) {
      return files.map(Path::toString).collect(Collectors.joining("\n"));
    }
  }

  /** Every row of every table of a database. */
  private static String dump(PostgresDatabase database) throws SQLException {
    StringBuilder all = new StringBuilder();
    for (String table :
        rows(
                database,
                "SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables"
                    + " WHERE table_schema IN ('public', 'sluice')")
            .lines()
            .toList()) {
      all.append(rows(database, "SELECT t::text FROM " + table + " t")).append('\n');
    }
    return all.toString();
  }

  private static String rows(PostgresDatabase database, String query) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return String.join("\n", values);
    }
  }

  private static void run(PostgresDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
