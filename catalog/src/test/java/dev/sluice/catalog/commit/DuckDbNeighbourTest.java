package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our commits beside those of a DuckDB that is attached all the time. */
class DuckDbNeighbourTest {

  private static final ColumnSpec K = ColumnSpec.of("k", Scalar.INT32);
  private static final ColumnSpec G = ColumnSpec.of("g", Scalar.INT32);
  private static final TableName NAME = new TableName("s", "t");

  @TempDir Path folder;
  private TestLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = TestLake.create(folder);
    lake.createTable(NAME, K);
    lake.createTable(new TableName("s", "duck"), K);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  @DisplayName("CAT-04: ten commits of an attached DuckDB alternate with ten of ours")
  void cat04CommitsAlternate() throws SQLException {
    for (int i = 0; i < 10; i++) {
      lake.duck.execute("INSERT INTO s.duck VALUES (%d)".formatted(i));
      lake.append(NAME, lake.file("SELECT %d::INT AS k".formatted(i)));
    }

    assertThat(lake.ask("SELECT count(*), sum(k) FROM s.duck")).isEqualTo("10 45");
    assertThat(lake.ask("SELECT count(*), sum(k) FROM s.t")).isEqualTo("10 45");
    assertThat(lake.ask("SELECT count(*), max(snapshot_id) FROM ducklake_snapshots('lake')"))
        .isEqualTo("23 22");
  }

  @Test
  @DisplayName("CAT-05: a DuckDB transaction commits after every kind of commit of ours in between")
  void cat05DuckDbCommitsAfterEveryKindOfOurs() throws SQLException {
    NewDataFile file = lake.file("SELECT range::INT AS k FROM range(10)");
    List<List<Change>> kinds =
        List.of(
            List.of(new Change.CreateSchema("more", IfExists.REFUSE)),
            List.of(
                new Change.CreateTable(
                    new TableName("s", "u"), List.of(K), List.of(), IfExists.REFUSE)),
            List.of(new Change.AddDataFiles(new TableRef.ByName(NAME), List.of(file))),
            List.of(
                TestLake.publish(
                    new TableName("s", "p"), List.of(K), lake.file("SELECT 1::INT AS k"))),
            List.of(new Change.AddColumn(new TableRef.ByName(NAME), List.of(), G)),
            List.of(new Change.RenameColumn(new TableRef.ByName(NAME), List.of("g"), "h")),
            List.of(new Change.RetypeColumn(TableRef.name("s", "u"), List.of("k"), Scalar.INT64)),
            List.of(new Change.RenameTable(TableRef.name("s", "u"), "v")),
            List.of(new Change.DropColumn(new TableRef.ByName(NAME), List.of("h"))),
            List.of(
                new Change.SetPartitioning(
                    new TableRef.ByName(NAME), List.of(PartitionKey.identity("k")))),
            List.of(new Change.DropTable(TableRef.name("s", "v"))),
            List.of(new Change.DropSchema("more")));
    for (List<Change> kind : kinds) {
      commitInsideOfDuckDb(kind);
    }
    commitInsideOfDuckDb(List.of(deletingFirstRow(file)));

    assertThat(lake.ask("SELECT count(*) FROM s.duck")).isEqualTo("13");
    assertThat(lake.ask("SELECT count(*), min(k) FROM s.t")).isEqualTo("9 1");
    assertThat(lake.ask("SELECT count(*) - max(snapshot_id) FROM ducklake_snapshots('lake')"))
        .isEqualTo("1");
  }

  private void commitInsideOfDuckDb(List<Change> ours) throws SQLException {
    lake.duck.execute("BEGIN; INSERT INTO s.duck VALUES (1)");
    lake.commit(ours.toArray(new Change[0]));
    lake.duck.execute("COMMIT");
  }

  private Change deletingFirstRow(NewDataFile file) throws SQLException {
    String id =
        lake.sql(
            "SELECT data_file_id FROM ducklake_data_file WHERE '%s' LIKE '%%' || path"
                .formatted(file.path()));
    NewDataFile positions =
        lake.file("SELECT '%s' AS file_path, 0::BIGINT AS pos".formatted(file.path()));
    return new Change.AddDeleteFiles(
        new TableRef.ByName(NAME),
        List.of(
            new Change.NewDeleteFile(
                Long.parseLong(id), positions.path(), 1, positions.fileSizeBytes(), null)));
  }

  @Test
  void duckDbIsRefusedWhenItInsertedIntoWhatWeReplaced() throws SQLException {
    lake.commit(TestLake.publish(NAME, List.of(K), lake.file("SELECT 1::INT AS k")));
    lake.duck.execute("BEGIN; INSERT INTO s.t VALUES (2)");
    lake.commit(TestLake.publish(NAME, List.of(K), lake.file("SELECT 3::INT AS k")));

    assertThatThrownBy(() -> lake.duck.execute("COMMIT"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("conflict");
    try (DuckLakeSession fresh = lake.attach()) {
      assertThat(fresh.valueText("SELECT string_agg(k, ',') FROM s.t")).isEqualTo("3");
    }
  }

  @Test
  @DisplayName("CAT-14: readers of a stable name see whole generations only while it is replaced")
  void cat14ReadersSeeWholeGenerations() throws Exception {
    List<NewDataFile> generations = new ArrayList<>();
    for (int g = 0; g < 50; g++) {
      generations.add(lake.file("SELECT %d::INT AS g FROM range(1000)".formatted(g)));
    }
    TableName stable = new TableName("s", "stable");
    lake.commit(TestLake.publish(stable, List.of(G), generations.get(0)));
    AtomicBoolean swapping = new AtomicBoolean(true);
    Callable<String> writer =
        () -> {
          try {
            for (int g = 1; g < 50; g++) {
              lake.commit(TestLake.publish(stable, List.of(G), generations.get(g)));
            }
            return "";
          } finally {
            swapping.set(false);
          }
        };
    Callable<String> reader =
        () -> {
          try (DuckLakeSession session = lake.attach()) {
            StringBuilder torn = new StringBuilder();
            int reads = 0;
            while (swapping.get() || reads < 50) {
              String seen =
                  String.valueOf(
                      session.valueText(
                          "SELECT count(*) || ' ' || count(DISTINCT g) || ' ' || (min(g) = max(g))"
                              + " FROM s.stable"));
              if (!seen.equals("1000 1 true")) {
                torn.append(seen).append('\n');
              }
              reads++;
            }
            return torn.toString();
          }
        };

    List<String> torn = Workers.together(List.of(writer, reader, reader));

    assertThat(torn).containsExactly("", "", "");
    assertThat(lake.ask("SELECT count(*), min(g), max(g) FROM s.stable")).isEqualTo("1000 49 49");
  }

  @Test
  @DisplayName(
      "Done when 5: two of our writers without pause leave a DuckDB writer its 100 commits")
  void aSaturatedLakeDoesNotStarveDuckDb() throws Exception {
    lake.createTable(new TableName("s", "one"), K);
    lake.createTable(new TableName("s", "two"), K);
    AtomicBoolean duckWrites = new AtomicBoolean(true);
    Catalog second = Catalog.open(lake.database.dataSource(), TestLake.LAKE);
    Callable<Integer> duck =
        () -> {
          try (DuckLakeSession session = lake.attach()) {
            for (int i = 0; i < 100; i++) {
              session.execute("INSERT INTO s.duck VALUES (%d)".formatted(i));
            }
            return 100;
          } finally {
            duckWrites.set(false);
          }
        };

    List<Integer> commits =
        Workers.together(
            List.of(
                duck,
                () -> appendWhile(duckWrites, lake.catalog, "one"),
                () -> appendWhile(duckWrites, second, "two")));

    assertThat(commits.get(1)).isPositive();
    assertThat(commits.get(2)).isPositive();
    assertThat(lake.ask("SELECT count(*), count(DISTINCT k) FROM s.duck")).isEqualTo("100 100");
    assertThat(
            lake.sql(
                "SELECT record_count FROM ducklake_table_stats JOIN ducklake_table USING (table_id)"
                    + " WHERE table_name IN ('one', 'two') ORDER BY table_name"))
        .isEqualTo(commits.get(1) + "\n" + commits.get(2));
    assertThat(lake.sql("SELECT count(*) - max(snapshot_id) FROM ducklake_snapshot"))
        .isEqualTo("1");
  }

  @Test
  void aDuckDbThatCommittedJustNowIsLeftRoom() throws SQLException {
    lake.duck.execute("INSERT INTO s.duck VALUES (1)");
    // a busy machine comes to our commit too late for it to be just now
    lake.tamper("UPDATE ducklake_snapshot SET snapshot_time = snapshot_time + INTERVAL '1 minute'");

    assertThat(pausesOfAnAppend()).isNotEmpty();
  }

  @Test
  void aDuckDbThatCommittedLongAgoIsNotWaitedFor() throws SQLException {
    lake.duck.execute("INSERT INTO s.duck VALUES (1)");
    lake.tamper("UPDATE ducklake_snapshot SET snapshot_time = snapshot_time - INTERVAL '1 hour'");

    assertThat(pausesOfAnAppend()).isEmpty();
  }

  /** Of a process that has not committed before. */
  private List<Duration> pausesOfAnAppend() {
    List<Duration> pauses = new ArrayList<>();
    Catalog fresh =
        Catalog.open(
            lake.database.dataSource(),
            TestLake.LAKE,
            CommitSettings.defaults().withSleeper(pauses::add));
    fresh.commit(
        CommitRequest.of(
            "append",
            new Base.Newest(),
            List.of(
                new Change.AddDataFiles(
                    new TableRef.ByName(NAME), List.of(lake.invented("fresh", 1))))));
    return pauses;
  }

  private Integer appendWhile(AtomicBoolean going, Catalog catalog, String table) {
    int made = 0;
    while (going.get()) {
      catalog.commit(
          CommitRequest.of(
              "append",
              new Base.Newest(),
              List.of(
                  new Change.AddDataFiles(
                      TableRef.name("s", table), List.of(lake.invented(table + "-" + made, 1))))));
      made++;
    }
    return made;
  }

  @Test
  void overwriteSurvivesExpiryAndCleanUpByDuckDb() throws SQLException {
    NewDataFile kept = lake.file("SELECT 1::INT AS k");
    lake.commit(TestLake.publish(NAME, List.of(K), kept, lake.file("SELECT 2::INT AS k")));
    lake.commit(TestLake.publish(NAME, List.of(K), kept, lake.file("SELECT 3::INT AS k")));
    lake.commit(TestLake.publish(NAME, List.of(K), kept, lake.file("SELECT 4::INT AS k")));

    lake.duck.execute("CALL ducklake_expire_snapshots('lake', older_than => now())");
    lake.duck.execute("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)");

    assertThat(lake.ask("SELECT k FROM s.t ORDER BY k")).isEqualTo("1\n4");
    lake.commit(TestLake.publish(NAME, List.of(K), kept, lake.file("SELECT 5::INT AS k")));
    assertThat(lake.ask("SELECT k FROM s.t ORDER BY k")).isEqualTo("1\n5");
  }

  @Test
  @DisplayName("writer bug 18: content computed from a snapshot conflicts with inserts since then")
  void newContentPlannedOnASnapshotConflictsWithForeignInserts() throws SQLException {
    long planned = lake.append(NAME, lake.file("SELECT 1::INT AS k")).snapshotId();
    lake.duck.execute("INSERT INTO s.t VALUES (2)");

    assertThatThrownBy(
            () ->
                lake.catalog.commit(
                    CommitRequest.of(
                        "rewrite",
                        new Base.PlannedOn(planned),
                        List.of(
                            new Change.ReplaceContent(
                                NAME,
                                List.of(K),
                                List.of(),
                                List.of(lake.file("SELECT 10::INT AS k")),
                                SchemaPolicy.FAIL,
                                ForeignContent.REPLACE,
                                null)))))
        .hasMessageContaining("rewrite: conflicts with a commit made since snapshot " + planned)
        .hasMessageContaining("inserted_into_table");
    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("2");
  }
}
