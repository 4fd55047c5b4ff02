package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.error.CatalogBusyException;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.catalog.error.CatalogUnavailableException;
import dev.sluice.catalog.error.CommitOutcomeUnknownException;
import dev.sluice.catalog.error.LakeRefusedException;
import dev.sluice.embedded.CommitFate;
import dev.sluice.embedded.ConnectionCutter;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** What a commit says when its database breaks, and what the next attempt makes of it. */
class CommitFailureTest {

  private static final String SECRET = "p4ss-MARK";
  private static final TableName NAME = new TableName("s", "t");
  private static final List<ColumnSpec> COLUMNS =
      List.of(ColumnSpec.of("id", Scalar.INT32), ColumnSpec.of("v", Scalar.VARCHAR));

  @TempDir Path folder;
  private TestLake lake;
  private ConnectionCutter cutter;
  private Catalog through;

  @BeforeEach
  void putCutterBeforeTheLake() throws SQLException {
    lake = TestLake.create(folder);
    cutter = ConnectionCutter.before(lake.database);
    through = Catalog.open(cutter.database().dataSource(), TestLake.LAKE);
  }

  @AfterEach
  void closeLake() throws SQLException {
    cutter.close();
    lake.close();
  }

  private CommitRequest append() throws SQLException {
    NewDataFile file = lake.file("SELECT 1::INT AS id, 'a' AS v");
    return CommitRequest.of(
            "append to s.t",
            new Base.Newest(),
            List.of(
                new Change.CreateSchema("s", IfExists.KEEP),
                new Change.CreateTable(NAME, COLUMNS, List.of(), IfExists.KEEP),
                new Change.AddDataFiles(TableRef.name("s", "t"), List.of(file))))
        .withKey("attempt-1");
  }

  private static CatalogException failureOf(Catalog catalog, CommitRequest request) {
    return catchThrowableOfType(CatalogException.class, () -> catalog.commit(request));
  }

  @Test
  @DisplayName("writer bug 31: an answer lost after COMMIT is its own outcome, found by the key")
  void answerLostAfterCommitIsUnknownAndFoundByTheKey() throws SQLException {
    CommitRequest request = append();
    cutter.nextCommit(CommitFate.CUT_AFTER);

    CatalogException failure = failureOf(through, request);

    assertThat(failure)
        .isInstanceOf(CommitOutcomeUnknownException.class)
        .hasMessageContaining("lake public: append to s.t: it is not known whether the commit")
        .hasMessageContaining("clean nothing up and repeat the request with the same key");
    assertThat(failure.outcomeKnown()).isFalse();
    assertThat(failure.retryable()).isTrue();
    assertThat(failure.conflict()).isFalse();

    CommitResult again = through.commit(request);

    assertThat(again.outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
    assertThat(again.snapshotId()).isEqualTo(1);
    assertThat(lake.ask("FROM s.t")).isEqualTo("1 a");
    assertThat(lake.sql("SELECT record_count FROM ducklake_table_stats")).isEqualTo("1");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_snapshot")).isEqualTo("2");
  }

  @Test
  @DisplayName("writer bug 31: a COMMIT that never arrived is unknown too, and is made once")
  void commitLostOnItsWayIsUnknownTooAndTheRetryWritesItOnce() throws SQLException {
    CommitRequest request = append();
    cutter.nextCommit(CommitFate.CUT_BEFORE);

    // the client cannot tell this from an answer that was lost
    assertThat(failureOf(through, request)).isInstanceOf(CommitOutcomeUnknownException.class);
    assertThat(lake.sql("SELECT count(*) FROM ducklake_snapshot")).isEqualTo("1");

    assertThat(through.commit(request).outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(lake.ask("FROM s.t")).isEqualTo("1 a");
    assertThat(lake.sql("SELECT record_count FROM ducklake_table_stats")).isEqualTo("1");
    assertThat(lake.sql("SELECT count(*), max(snapshot_id) FROM ducklake_snapshot"))
        .isEqualTo("2 1");
  }

  @Test
  @DisplayName("writer bug 28: a connection lost before COMMIT is known to have written nothing")
  void connectionLostBeforeCommitIsKnownToHaveWrittenNothing() throws SQLException {
    CommitRequest request = append();

    CatalogException failure = failureOf(through, request.withSteps(context -> cutter.cutAll()));

    assertThat(failure)
        .isInstanceOf(CatalogUnavailableException.class)
        .hasMessageContaining("append to s.t: the catalog database does not answer")
        .hasMessageContaining("nothing was written");
    assertAnswers(failure, true, false, true);
    assertThat(failure.getCause()).isInstanceOf(SQLException.class);
    assertThat(failure.getCause().getMessage()).doesNotContain("rollback");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_snapshot")).isEqualTo("1");
    assertThat(through.commit(request).outcome()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void unreachableDatabaseIsUnavailable() throws SQLException {
    CommitRequest request = append();
    cutter.goDown();

    CatalogException failure = failureOf(through, request);

    assertThat(failure)
        .isInstanceOf(CatalogUnavailableException.class)
        .hasMessageContaining("does not answer")
        .hasMessageContaining("nothing was written, try again when it is back");
    assertAnswers(failure, true, false, true);
    assertWithoutSecret(failure);
    cutter.acceptAgain();
    assertThat(through.commit(request).outcome()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void readOnlyDatabaseIsUnavailable() throws SQLException {
    lake.tamper(
        "ALTER DATABASE " + lake.database.name() + " SET default_transaction_read_only = on");
    CatalogException failure = failureOf(lake.catalog, append());
    assertThat(failure)
        .isInstanceOf(CatalogUnavailableException.class)
        .hasMessageContaining("read-only");
    assertAnswers(failure, true, false, true);
  }

  @Test
  void restartedDatabaseIsUnavailableAndThenServesAgain() throws SQLException {
    try (EmbeddedDatabase own = EmbeddedDatabase.start()) {
      PostgresDatabase database = own.newDatabase();
      try (HikariDataSource pool = database.dataSource(1)) {
        Catalog.create(database.dataSource(), "public", folder + "/restarted");
        Catalog catalog = Catalog.open(pool, "public");
        CommitRequest request =
            CommitRequest.of(
                    "create schema s",
                    new Base.Newest(),
                    List.of(new Change.CreateSchema("s", IfExists.REFUSE)))
                .withKey("k");
        CatalogException failure = failureOf(catalog, request.withSteps(context -> own.restart()));
        assertThat(failure)
            .isInstanceOf(CatalogUnavailableException.class)
            .hasMessageContaining("nothing was written");
        assertAnswers(failure, true, false, true);

        assertThat(catalog.commit(request).outcome()).isEqualTo(Outcome.COMMITTED);
      }
    }
  }

  @Test
  @DisplayName("CAT-10: no error text, cause or suppressed error holds the password")
  void cat10NoErrorHoldsThePassword() throws SQLException {
    lake.tamper("CREATE ROLE locked NOLOGIN PASSWORD '" + SECRET + "'");
    assertWithoutSecret(openingWith(lake.database.port(), lake.database.name(), "locked"));
    CatalogException noRole = openingWith(lake.database.port(), lake.database.name(), "nobody");
    assertThat(noRole)
        .isInstanceOf(LakeRefusedException.class)
        .hasMessageContaining("user, password or database name is wrong");
    assertAnswers(noRole, false, false, true);
    assertWithoutSecret(noRole);
    CatalogException noDatabase = openingWith(lake.database.port(), "missing", "postgres");
    assertThat(noDatabase)
        .isInstanceOf(LakeRefusedException.class)
        .hasMessageContaining("refused the login");
    assertWithoutSecret(noDatabase);
    cutter.goDown();
    CatalogException noServer =
        openingWith(cutter.database().port(), lake.database.name(), "postgres");
    assertThat(noServer)
        .isInstanceOf(CatalogUnavailableException.class)
        .hasMessageContaining("does not answer");
    assertWithoutSecret(noServer);
    CatalogException failing =
        failureOf(
            lake.catalog, append().withSteps(context -> context.dsl().execute("SELECT 1 / 0")));
    assertThat(failing)
        .isInstanceOf(CatalogUnavailableException.class)
        .hasMessageContaining("SQLSTATE 22012");
    assertWithoutSecret(failing);
  }

  private CatalogException openingWith(int port, String name, String user) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/" + name);
    source.setUser(user);
    source.setPassword(SECRET);
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setConnectionTimeout(1_000);
    config.setInitializationFailTimeout(-1);
    config.setMinimumIdle(0);
    CatalogException direct =
        catchThrowableOfType(CatalogException.class, () -> Catalog.open(source, TestLake.LAKE));
    try (HikariDataSource pool = new HikariDataSource(config)) {
      CatalogException pooled =
          catchThrowableOfType(CatalogException.class, () -> Catalog.open(pool, TestLake.LAKE));
      assertThat(pooled).hasSameClassAs(direct).hasMessage(direct.getMessage());
      assertWithoutSecret(pooled);
    }
    return direct;
  }

  private static void assertAnswers(
      CatalogException failure, boolean retryable, boolean conflict, boolean known) {
    assertThat(failure.retryable()).isEqualTo(retryable);
    assertThat(failure.conflict()).isEqualTo(conflict);
    assertThat(failure.outcomeKnown()).isEqualTo(known);
  }

  private static void assertWithoutSecret(CatalogException failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    assertThat(text.toString()).doesNotContain(SECRET);
  }

  @Test
  void stalledProcessIsEndedByTheServerAndOthersGoOn() throws Exception {
    Catalog impatient =
        Catalog.open(
            lake.database.dataSource(),
            TestLake.LAKE,
            CommitSettings.defaults()
                .withTimeouts(
                    Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(300)));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CommitRequest stalling =
        append()
            .withSteps(
                context -> {
                  inside.countDown();
                  awaitQuietly(goOn);
                });
    CompletableFuture<CatalogException> stalled =
        CompletableFuture.supplyAsync(() -> failureOf(impatient, stalling));
    assertThat(inside.await(1, TimeUnit.MINUTES)).isTrue();

    // waits for the lock until the server has ended the stalled one
    CommitResult other = lake.commit(new Change.CreateSchema("other", IfExists.REFUSE));
    goOn.countDown();

    assertThat(other.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(other.snapshotId()).isEqualTo(1);
    CatalogException failure = stalled.get(1, TimeUnit.MINUTES);
    assertThat(failure)
        .isInstanceOf(CatalogUnavailableException.class)
        .hasMessageContaining("nothing was written");
    assertAnswers(failure, true, false, true);
    assertThat(impatient.commit(append()).snapshotId()).isEqualTo(2);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      if (!latch.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the test did not go on within a minute");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName("writer bug 29: a missing table is an error, not an empty answer")
  void aMissingTableIsAnError() throws SQLException {
    lake.tamper("ALTER TABLE sluice.commit_log RENAME TO away");

    LakeRefusedException damaged =
        catchThrowableOfType(LakeRefusedException.class, () -> through.commit(append()));

    assertThat(damaged)
        .hasMessageContaining("a table of the catalog or of Sluice's state is missing");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file")).isEqualTo("0");
  }

  @Test
  void aHeldLockEndsInABoundedTime() throws SQLException {
    CommitSettings impatient =
        CommitSettings.defaults()
            .withTimeouts(Duration.ofMillis(50), Duration.ofSeconds(5), Duration.ofSeconds(5));
    Catalog catalog = Catalog.open(lake.database.dataSource(), TestLake.LAKE, impatient);
    try (Connection other = lake.database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(
          "SELECT pg_advisory_xact_lock(hashtextextended('sluice:" + TestLake.LAKE + "', 0))");

      CatalogBusyException busy =
          catchThrowableOfType(CatalogBusyException.class, () -> catalog.commit(append()));

      assertThat(busy).hasMessageContaining("other writers or lock holders were faster");
      assertThat(busy.retryable()).isTrue();
      other.rollback();
    }
    assertThat(catalog.commit(append()).outcome()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  @DisplayName("writer bug 16: a foreign writer that takes our snapshot id makes us read again")
  void aForeignSnapshotOfTheSameIdIsWaitedFor() throws Exception {
    try (Connection foreign = lake.database.connect();
        Statement statement = foreign.createStatement()) {
      foreign.setAutoCommit(false);
      statement.execute(
          "INSERT INTO ducklake_snapshot SELECT snapshot_id + 1, now(), schema_version,"
              + " next_catalog_id, next_file_id + 5 FROM ducklake_snapshot ORDER BY 1 DESC LIMIT 1;"
              + " INSERT INTO ducklake_snapshot_changes (snapshot_id) SELECT max(snapshot_id) FROM"
              + " ducklake_snapshot");
      List<CommitResult> results =
          Workers.together(
              List.of(
                  () -> lake.catalog.commit(append()),
                  () -> {
                    awaitBlocked();
                    foreign.commit();
                    return new CommitResult(0, Outcome.NOTHING_TO_DO, 1);
                  }));

      assertThat(results.get(0).snapshotId()).isEqualTo(2);
      assertThat(results.get(0).tries()).isEqualTo(1);
    }
    // the foreign writer took five ids, the file's column mapping the next
    assertThat(lake.sql("SELECT data_file_id FROM ducklake_data_file")).isEqualTo("6");
  }

  /** Until our commit waits for the foreign transaction; PostgreSQL tells, no clock is needed. */
  private void awaitBlocked() throws SQLException {
    while (lake.sql(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND"
                + " wait_event_type = 'Lock' AND query LIKE '%ducklake_snapshot%'")
        .equals("0")) {
      Thread.onSpinWait();
    }
  }
}
