package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {

  @Test
  void theSharedServerIsPostgres18AndDoesNotWaitForTheDisk() throws SQLException {
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();

    assertThat(one(database, "SHOW server_version")).startsWith("18.");
    assertThat(one(database, "SHOW synchronous_commit")).isEqualTo("on");
    assertThat(one(database, "SHOW fsync")).isEqualTo("off");
    assertThat(one(database, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
  }

  @Test
  void everyNewDatabaseIsEmptyAndItsOwn() throws SQLException {
    PostgresDatabase first = EmbeddedDatabase.shared().newDatabase();
    PostgresDatabase second = EmbeddedDatabase.shared().newDatabase();

    run(first, "CREATE TABLE only_here (id bigint)");

    assertThat(one(second, "SELECT count(*) FROM pg_tables WHERE tablename = 'only_here'"))
        .isEqualTo("0");
    assertThat(second.name()).isNotEqualTo(first.name());
  }

  @Test
  void copiesOfATemplateHoldWhatItWasFilledWithOnce() throws SQLException {
    EmbeddedDatabase server = EmbeddedDatabase.shared();
    AtomicInteger fillings = new AtomicInteger();
    Consumer<PostgresDatabase> filling =
        made -> {
          fillings.incrementAndGet();
          runUnchecked(made, "CREATE TABLE filled AS SELECT 7 AS id");
        };

    PostgresDatabase one = server.newDatabase("filled_once", filling);
    run(one, "DELETE FROM filled");
    PostgresDatabase other = server.newDatabase("filled_once", filling);

    assertThat(fillings).hasValue(1);
    assertThat(one(one, "SELECT count(*) FROM filled")).isEqualTo("0");
    assertThat(one(other, "SELECT id FROM filled")).isEqualTo("7");
  }

  private static void runUnchecked(PostgresDatabase database, String sql) {
    try {
      run(database, sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDatabaseIsMadeOnceAndFoundAgainWhenAskedFor() {
    EmbeddedDatabase server = EmbeddedDatabase.shared();
    server.dropDatabase("asked_for");

    PostgresDatabase made = server.createDatabaseIfMissing("asked_for");

    assertThat(server.createDatabaseIfMissing("asked_for")).isEqualTo(made);
    assertThatThrownBy(() -> server.createDatabase("asked_for"))
        .isInstanceOf(EmbeddedStackException.class)
        .hasMessageContaining("\"asked_for\" already exists");
    server.dropDatabase("asked_for");
  }

  @Test
  void aNameThatWouldNeedQuotingIsRefused() {
    assertThatThrownBy(() -> EmbeddedDatabase.shared().createDatabase("No \"Quotes\""))
        .isInstanceOf(EmbeddedStackException.class)
        .hasMessageContaining("the name is refused; required: matches [a-z_][a-z0-9_]{0,62}");
  }

  @Test
  void aPoolHandsOutNoMoreConnectionsThanItsSize() throws SQLException {
    PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();

    try (HikariDataSource pool = database.dataSource(1, Duration.ofMillis(250))) {
      try (Connection held = pool.getConnection()) {
        assertThat(held.isValid(1)).isTrue();
        assertThatThrownBy(pool::getConnection)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("Connection is not available");
      }
    }
  }

  @Test
  void settingsArePassedInAndAKeptFolderSurvivesTheServer(@TempDir Path temporary)
      throws SQLException {
    Path folder = temporary.resolve("kept");
    EmbeddedDatabaseOptions options =
        EmbeddedDatabaseOptions.defaults().keptIn(folder).with("max_connections", "17");

    try (EmbeddedDatabase server = EmbeddedDatabase.start(options)) {
      PostgresDatabase database = server.createDatabase("kept");
      assertThat(one(database, "SHOW max_connections")).isEqualTo("17");
      run(database, "CREATE TABLE t AS SELECT 42 AS answer");
    }
    try (EmbeddedDatabase again = EmbeddedDatabase.start(options)) {
      assertThat(one(again.database("kept"), "SELECT answer FROM t")).isEqualTo("42");
    }
  }

  @Test
  void acknowledgedCommitsSurviveAKillAndOpenTransactionsDoNot() throws SQLException {
    try (EmbeddedDatabase server = EmbeddedDatabase.start()) {
      PostgresDatabase database = server.newDatabase();
      int port = server.port();
      assertThat(one(database, "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(one(database, "SHOW fsync")).isEqualTo("on");
      run(database, "CREATE TABLE t (id bigint)");
      run(database, "INSERT INTO t VALUES (1)");

      try (Connection open = database.connect()) {
        open.setAutoCommit(false);
        try (Statement statement = open.createStatement()) {
          statement.execute("INSERT INTO t VALUES (2)");
        }
        server.kill();
        assertThatThrownBy(open::commit).isInstanceOf(SQLException.class).hasMessageContaining("");
      }
      assertThatThrownBy(database::connect)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("refused");
      assertThatThrownBy(server::kill)
          .isInstanceOf(EmbeddedStackException.class)
          .hasMessageContaining("the server is not running");

      server.restart();

      assertThat(server.port()).isEqualTo(port);
      assertThat(one(database, "SELECT string_agg(id::text, ',') FROM t")).isEqualTo("1");
    }
  }

  @Test
  void aRestartKeepsPortAndDataAndClosingRemovesTheTemporaryFolder() throws SQLException {
    EmbeddedDatabase server = EmbeddedDatabase.start();
    Path folder = server.dataFolder();
    try (server) {
      PostgresDatabase database = server.newDatabase();
      run(database, "CREATE TABLE t AS SELECT 1 AS id");

      server.restart();

      assertThat(one(database, "SELECT id FROM t")).isEqualTo("1");
    }
    assertThat(Files.exists(folder)).isFalse();
  }

  static String one(PostgresDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      assertThat(result.next()).isTrue();
      return result.getString(1);
    }
  }

  static void run(PostgresDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
