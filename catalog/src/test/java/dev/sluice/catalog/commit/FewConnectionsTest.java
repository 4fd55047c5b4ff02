package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.embedded.CommitFate;
import dev.sluice.embedded.ConnectionCutter;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.EmbeddedDatabaseOptions;
import dev.sluice.embedded.PostgresDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database server that has few connections to give, shared by workers of which one dies. */
class FewConnectionsTest {

  private static final int WORKERS = 4;
  private static final int TABLES_OF_A_WORKER = 15;
  private static final int LOST_TABLE = 7;

  private static final String SESSIONS =
      "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname ="
          + " current_database()";

  @TempDir Path folder;

  @Test
  @DisplayName(
      "CAT-08: 4 workers make 60 tables with at most 5 connections; one is killed; none stays open")
  void cat08FourWorkersOfWhichOneIsKilledNeedFiveConnections() throws Exception {
    EmbeddedDatabaseOptions small =
        EmbeddedDatabaseOptions.defaults().with("max_connections", "20");
    try (EmbeddedDatabase server = EmbeddedDatabase.start(small)) {
      PostgresDatabase database = server.newDatabase();
      Catalog lake = Catalog.create(database.dataSource(), TestLake.LAKE, folder + "/data");
      lake.commit(
          CommitRequest.of(
              "make s", new Base.Newest(), List.of(new Change.CreateSchema("s", IfExists.REFUSE))));
      AtomicLong mostSessions = new AtomicLong();
      try (ConnectionCutter fate = ConnectionCutter.before(database)) {
        List<Callable<Integer>> workers = new ArrayList<>();
        for (int w = 0; w < WORKERS - 1; w++) {
          int worker = w;
          workers.add(() -> makeTables(database, worker, 0, mostSessions));
        }
        workers.add(
            () -> {
              fate.nextCommitOf("w3_" + LOST_TABLE, CommitFate.CUT_BEFORE);
              assertThatThrownBy(() -> makeTables(fate.database(), WORKERS - 1, 0, mostSessions))
                  .isInstanceOf(CatalogException.class)
                  .hasMessageContaining("it is not known whether the commit took place");
              return LOST_TABLE;
            });

        assertThat(Workers.together(workers)).containsExactly(15, 15, 15, LOST_TABLE);
      }

      assertThat(number(database, "SELECT count(*) FROM ducklake_table"))
          .isEqualTo(45 + LOST_TABLE);
      makeTables(database, WORKERS - 1, LOST_TABLE, mostSessions);
      assertThat(lake.reader().view(lake.reader().latest()).tables()).hasSize(60);
      assertThat(mostSessions.get()).isBetween(1L, 5L);
      awaitNoOtherSession(database);
    }
  }

  /** One process: a pool of one connection, which it closes when it is done or dies. */
  private int makeTables(
      PostgresDatabase database, int worker, int first, AtomicLong mostSessions) {
    try (HikariDataSource pool = database.dataSource(1)) {
      Catalog catalog = Catalog.open(pool, TestLake.LAKE);
      int made = first;
      while (made < TABLES_OF_A_WORKER) {
        String name = "w" + worker + "_" + made;
        NewDataFile file =
            new NewDataFile(
                folder + "/data/" + name + ".parquet",
                1,
                1000,
                100L,
                new FileMapping.ByFieldId(),
                List.of(),
                List.of());
        catalog.commit(
            CommitRequest.of(
                    "publish " + name,
                    new Base.Newest(),
                    List.of(
                        TestLake.publish(
                            new TableName("s", name),
                            List.of(ColumnSpec.of("k", Scalar.INT32)),
                            file)))
                .withSteps(context -> count(context, name, mostSessions)));
        made++;
      }
      return made - first;
    }
  }

  /** The name is sent in a statement of this transaction, so that its COMMIT can be told apart. */
  private static void count(CommitContext context, String name, AtomicLong mostSessions) {
    long sessions =
        context.dsl().fetchSingle(SESSIONS + " AND '" + name + "' <> ''").get(0, long.class);
    mostSessions.accumulateAndGet(sessions, Math::max);
  }

  /** Until none is left, in a transaction or out of one; the server says so, not a clock. */
  private static void awaitNoOtherSession(PostgresDatabase database) throws SQLException {
    while (number(database, SESSIONS + " AND pid <> pg_backend_pid()") > 0) {
      Thread.onSpinWait();
    }
  }

  private static long number(PostgresDatabase database, String query) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    }
  }
}
