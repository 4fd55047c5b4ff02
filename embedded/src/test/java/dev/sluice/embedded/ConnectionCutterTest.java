package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionCutterTest {

  // Class 08 of SQLSTATE: connection exception.
  private static final String CONNECTION_FAILURE = "08006";

  private PostgresDatabase direct;
  private ConnectionCutter cutter;

  @BeforeEach
  void makeATable() throws SQLException {
    direct = EmbeddedDatabase.shared().newDatabase();
    EmbeddedDatabaseTest.run(direct, "CREATE TABLE t (id bigint)");
    cutter = ConnectionCutter.before(direct);
  }

  @AfterEach
  void closeTheCutter() {
    cutter.close();
  }

  @Test
  void withoutAPlanEverythingPasses() throws SQLException {
    try (Connection connection = insertUncommitted(1)) {
      connection.commit();
      assertThat(cutter.openConnections()).isEqualTo(1);
    }

    assertThat(rows()).isEqualTo("1");
  }

  @Test
  void aCommitCutAfterTheServerIsInDoubtForTheClientButDone()
      throws SQLException, InterruptedException {
    ConnectionCutter.PlannedCommit plan = cutter.nextCommit(CommitFate.CUT_AFTER);

    try (Connection connection = insertUncommitted(1)) {
      assertThatThrownBy(connection::commit)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("I/O error")
          .extracting(failure -> ((SQLException) failure).getSQLState())
          .isEqualTo(CONNECTION_FAILURE);
    }
    plan.await();

    assertThat(rows()).isEqualTo("1");
  }

  @Test
  void aCommitCutBeforeTheServerLooksTheSameButIsNotDone()
      throws SQLException, InterruptedException {
    ConnectionCutter.PlannedCommit plan = cutter.nextCommit(CommitFate.CUT_BEFORE);

    try (Connection connection = insertUncommitted(1)) {
      assertThatThrownBy(connection::commit)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("I/O error")
          .extracting(failure -> ((SQLException) failure).getSQLState())
          .isEqualTo(CONNECTION_FAILURE);
    }
    plan.await();

    assertThat(rows()).isNull();
  }

  @Test
  void aHeldCommitIsInvisibleUntilReleased()
      throws SQLException, InterruptedException, ExecutionException {
    ConnectionCutter.PlannedCommit plan = cutter.nextCommit(CommitFate.HOLD);

    try (Connection connection = insertUncommitted(1)) {
      CompletableFuture<Void> committing =
          CompletableFuture.runAsync(() -> commitUnchecked(connection));
      plan.await();
      assertThat(rows()).isNull();

      plan.release();
      committing.get();
    }

    assertThat(rows()).isEqualTo("1");
  }

  @Test
  void aPlanCanBeTiedToAStatementSoThatOtherCommitsPass() throws SQLException {
    ConnectionCutter.PlannedCommit plan =
        cutter.nextCommitOf("insert into T values (2)", CommitFate.CUT_AFTER);

    try (Connection first = insertUncommitted(1);
        Connection second = insertUncommitted(2)) {
      first.commit();
      assertThat(plan.isReached()).isFalse();
      assertThatThrownBy(second::commit)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("I/O error");
    }

    assertThat(rows()).isEqualTo("1,2");
  }

  @Test
  void aSimpleQueryThatEndsInCommitIsSeenToo() throws SQLException {
    cutter.nextCommit(CommitFate.CUT_AFTER);

    try (Connection connection = simpleQueries(cutter.database());
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("BEGIN; INSERT INTO t VALUES (1); COMMIT;"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("I/O error");
    }

    assertThat(rows()).isEqualTo("1");
  }

  @Test
  void anOutageEndsConnectionsAndRefusesNewOnesUntilItIsOver() throws SQLException {
    try (Connection connection = insertUncommitted(1)) {
      cutter.goDown();

      assertThatThrownBy(connection::commit)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("I/O error");
      assertThatThrownBy(() -> cutter.database().connect())
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("connection attempt failed");
    }
    cutter.acceptAgain();
    try (Connection connection = insertUncommitted(2)) {
      connection.commit();
    }

    assertThat(rows()).isEqualTo("2");
  }

  private Connection insertUncommitted(int id) throws SQLException {
    Connection connection = cutter.database().connect();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO t VALUES (" + id + ")");
    }
    return connection;
  }

  private String rows() throws SQLException {
    return EmbeddedDatabaseTest.one(direct, "SELECT string_agg(id::text, ',' ORDER BY id) FROM t");
  }

  private static Connection simpleQueries(PostgresDatabase database) throws SQLException {
    return java.sql.DriverManager.getConnection(
        database.jdbcUrl() + "&preferQueryMode=simple", database.user(), database.password());
  }

  private static void commitUnchecked(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw new AssertionError("the held commit failed", e);
    }
  }
}
