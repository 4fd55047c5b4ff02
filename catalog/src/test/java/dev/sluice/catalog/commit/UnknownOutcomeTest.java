package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.error.CatalogBusyException;
import dev.sluice.catalog.error.CatalogUnavailableException;
import dev.sluice.catalog.error.CommitOutcomeUnknownException;
import dev.sluice.catalog.error.LakeRefusedException;
import dev.sluice.embedded.CommitFate;
import dev.sluice.embedded.ConnectionCutter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that break at the worst moment, and servers that say no. */
class UnknownOutcomeTest {

  private static final TableName NAME = new TableName("s", "t");

  @TempDir Path folder;
  private TestLake lake;
  private ConnectionCutter cutter;
  private Catalog throughCutter;

  @BeforeEach
  void createLake() throws SQLException {
    lake = TestLake.create(folder);
    lake.createTable(NAME, ColumnSpec.of("k", Scalar.INT32));
    cutter = ConnectionCutter.before(lake.database);
    throughCutter = Catalog.open(cutter.database().dataSource(), TestLake.LAKE);
  }

  @AfterEach
  void closeLake() throws SQLException {
    cutter.close();
    lake.close();
  }

  private CommitRequest keyed() {
    return CommitRequest.of(
            "append keyed",
            new Base.Newest(),
            List.of(
                new Change.AddDataFiles(
                    new TableRef.ByName(NAME), List.of(lake.invented("keyed", 7)))))
        .withKey("attempt:1");
  }

  @Test
  @DisplayName(
      "writer bug 31: a lost answer to COMMIT is unknown, and the next attempt finds it done")
  void lostAnswerIsUnknownAndFoundByTheNextAttempt() throws SQLException {
    cutter.nextCommit(CommitFate.CUT_AFTER);

    CommitOutcomeUnknownException unknown =
        catchThrowableOfType(
            CommitOutcomeUnknownException.class, () -> throughCutter.commit(keyed()));

    assertThat(unknown).hasMessageContaining("append keyed: it is not known whether the commit");
    assertThat(unknown.outcomeKnown()).isFalse();
    assertThat(unknown.retryable()).isTrue();
    assertThat(unknown.conflict()).isFalse();
    CommitResult again = throughCutter.commit(keyed());
    assertThat(again.outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
    assertThat(again.snapshotId()).isEqualTo(2);
    assertThat(lake.sql("SELECT record_count FROM ducklake_table_stats")).isEqualTo("7");
  }

  @Test
  @DisplayName(
      "writer bug 31: a COMMIT that never arrived is unknown too, and is made once afterwards")
  void lostCommitIsMadeOnceByTheNextAttempt() throws SQLException {
    cutter.nextCommit(CommitFate.CUT_BEFORE);

    CommitOutcomeUnknownException unknown =
        catchThrowableOfType(
            CommitOutcomeUnknownException.class, () -> throughCutter.commit(keyed()));

    assertThat(unknown).hasMessageContaining("repeat the request with the same key");
    assertThat(throughCutter.commit(keyed()).outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(lake.sql("SELECT record_count FROM ducklake_table_stats")).isEqualTo("7");
    assertThat(lake.sql("SELECT count(*), max(snapshot_id) FROM ducklake_snapshot"))
        .isEqualTo("3 2");
  }

  @Test
  @DisplayName("writer bug 28: a connection lost before COMMIT is known to have written nothing")
  void connectionLostBeforeCommitIsKnown() throws SQLException {
    CatalogUnavailableException lost =
        catchThrowableOfType(
            CatalogUnavailableException.class,
            () ->
                throughCutter.commit(
                    keyed().withSteps(List.of(), List.of(context -> cutter.cutAll()))));

    assertThat(lost).hasMessageContaining("the catalog database does not answer");
    assertThat(lost.outcomeKnown()).isTrue();
    assertThat(lost.getCause()).isInstanceOf(SQLException.class);
    assertThat(lost.getCause().getMessage()).doesNotContain("rollback");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file")).isEqualTo("0");
    assertThat(throughCutter.commit(keyed()).outcome()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  @DisplayName("writer bug 29: a missing table is an error, not an empty answer")
  void aMissingTableIsAnError() throws SQLException {
    lake.tamper("ALTER TABLE sluice.commit_log RENAME TO away");

    LakeRefusedException damaged =
        catchThrowableOfType(LakeRefusedException.class, () -> throughCutter.commit(keyed()));

    assertThat(damaged)
        .hasMessageContaining("a table of the catalog or of Sluice's state is missing");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file")).isEqualTo("0");
  }

  @Test
  void unreachableDatabaseIsUnavailable() {
    cutter.goDown();

    CatalogUnavailableException down =
        catchThrowableOfType(
            CatalogUnavailableException.class, () -> throughCutter.commit(keyed()));

    assertThat(down).hasMessageContaining("nothing was written, try again when it is back");
    assertThat(down.retryable()).isTrue();
    cutter.acceptAgain();
    assertThat(throughCutter.commit(keyed()).outcome()).isEqualTo(Outcome.COMMITTED);
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
          catchThrowableOfType(CatalogBusyException.class, () -> catalog.commit(keyed()));

      assertThat(busy).hasMessageContaining("other writers or lock holders were faster");
      assertThat(busy.retryable()).isTrue();
      other.rollback();
    }
    assertThat(catalog.commit(keyed()).outcome()).isEqualTo(Outcome.COMMITTED);
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
                  () -> lake.catalog.commit(keyed()),
                  () -> {
                    awaitBlocked();
                    foreign.commit();
                    return new CommitResult(0, Outcome.NOTHING_TO_DO, 1);
                  }));

      assertThat(results.get(0).snapshotId()).isEqualTo(3);
      assertThat(results.get(0).tries()).isEqualTo(1);
    }
    assertThat(lake.sql("SELECT data_file_id FROM ducklake_data_file")).isEqualTo("5");
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
