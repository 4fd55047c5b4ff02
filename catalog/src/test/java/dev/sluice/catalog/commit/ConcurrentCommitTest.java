package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.error.CommitConflictException;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several of our own writers on one lake. */
class ConcurrentCommitTest {

  private static final ColumnSpec K = ColumnSpec.of("k", Scalar.INT32);
  private static final TableName NAME = new TableName("s", "t");

  @TempDir Path folder;
  private TestLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = TestLake.create(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  @DisplayName(
      "CAT-01, writer bugs 16, 17 and 19: 8 writers append, one replaces; no id or row-id twice")
  void cat01EightWritersAppendAndOneReplaces() throws Exception {
    for (int i = 0; i < 4; i++) {
      lake.createTable(new TableName("s", "t" + i), K);
    }
    lake.createTable(new TableName("s", "r"), K);
    // two processes on the lake: within one, commits share transactions
    List<Catalog> processes =
        List.of(lake.catalog, Catalog.open(lake.database.dataSource(), TestLake.LAKE));
    List<Callable<Long>> writers = new ArrayList<>();
    for (int w = 0; w < 8; w++) {
      int writer = w;
      writers.add(
          () -> {
            TableName table = new TableName("s", "t" + writer % 4);
            for (int i = 0; i < 25; i++) {
              NewDataFile file = lake.invented("a-" + writer + "-" + i, 3);
              processes
                  .get(writer % 2)
                  .commit(
                      CommitRequest.of(
                          "append",
                          new Base.Newest(),
                          List.of(
                              new Change.AddDataFiles(new TableRef.ByName(table), List.of(file)))));
            }
            return 25L;
          });
    }
    writers.add(
        () -> {
          for (int i = 0; i < 25; i++) {
            lake.commit(
                TestLake.publish(new TableName("s", "r"), List.of(K), lake.invented("r-" + i, 5)));
          }
          return 25L;
        });
    long before = Long.parseLong(lake.sql("SELECT max(snapshot_id) FROM ducklake_snapshot"));

    Workers.together(writers);

    assertThat(
            lake.sql("SELECT max(snapshot_id) - " + before + ", count(*) FROM ducklake_snapshot"))
        .isEqualTo("225 " + (before + 226));
    assertThat(
            lake.sql(
                "SELECT count(*), count(DISTINCT data_file_id), max(data_file_id) <"
                    + " (SELECT max(next_file_id) FROM ducklake_snapshot) FROM ducklake_data_file"))
        .isEqualTo("225 225 t");
    assertThat(
            lake.sql(
                "SELECT count(*) FROM ducklake_data_file a JOIN ducklake_data_file b ON a.table_id ="
                    + " b.table_id AND a.data_file_id < b.data_file_id AND a.row_id_start <"
                    + " b.row_id_start + b.record_count AND b.row_id_start < a.row_id_start +"
                    + " a.record_count"))
        .isEqualTo("0");
    assertThat(
            lake.sql(
                "SELECT table_name, record_count, next_row_id FROM ducklake_table_stats JOIN"
                    + " ducklake_table USING (table_id) ORDER BY 1"))
        .isEqualTo("r 5 125\nt0 150 150\nt1 150 150\nt2 150 150\nt3 150 150");
  }

  @Test
  @DisplayName("CAT-02, writer bug 6: two appends at one moment, 50 times with fresh values")
  void cat02BoundsCoverBothOfTwoAppends() throws Exception {
    lake.createTable(NAME, K);
    Catalog other = Catalog.open(lake.database.dataSource(), TestLake.LAKE);
    for (int round = 0; round < 50; round++) {
      int low = 1 - round;
      int high = 1000 + round;
      NewDataFile lowFile = one(low);
      NewDataFile highFile = one(high);

      Workers.together(
          List.of(
              () -> other.commit(adding(lowFile)), () -> lake.catalog.commit(adding(highFile))));

      assertThat(lake.sql("SELECT min_value, max_value FROM ducklake_table_column_stats"))
          .isEqualTo(low + " " + high);
      assertThat(
              lake.ask(
                  "SELECT (SELECT count(*) FROM s.t WHERE k = %d), (SELECT count(*) FROM s.t WHERE k = %d)"
                      .formatted(low, high)))
          .isEqualTo("1 1");
    }
    assertThat(lake.sql("SELECT record_count FROM ducklake_table_stats")).isEqualTo("100");
    assertThat(lake.ask("SELECT count(*), min(k), max(k) FROM s.t")).isEqualTo("100 -48 1049");
    for (int value : List.of(1, 1000)) {
      assertThat(lake.ask("SELECT count(*) FROM s.t WHERE k = " + value)).isEqualTo("1");
    }
  }

  private NewDataFile one(int k) throws SQLException {
    String text = Integer.toString(k);
    return TestLake.with(
        lake.file("SELECT %d::INT AS k".formatted(k)), TestLake.bounds("k", 1, text, text));
  }

  private static CommitRequest adding(NewDataFile file) {
    return CommitRequest.of(
        "append",
        new Base.Newest(),
        List.of(new Change.AddDataFiles(new TableRef.ByName(NAME), List.of(file))));
  }

  @Test
  @DisplayName("CAT-03: an append that comes after the drop of its table fails")
  void cat03LateAppendFails() throws SQLException {
    lake.createTable(NAME, K);
    long planned = lake.append(NAME, lake.invented("first", 1)).snapshotId();
    long table = Long.parseLong(lake.sql("SELECT table_id FROM ducklake_table"));
    CommitRequest late =
        CommitRequest.of(
            "append late",
            new Base.PlannedOn(planned),
            List.of(
                new Change.AddDataFiles(TableRef.id(table), List.of(lake.invented("late", 1)))));

    lake.commit(new Change.DropTable(TableRef.id(table)));

    assertThatThrownBy(() -> lake.catalog.commit(late))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("append late: conflicts with a commit made since snapshot 2")
        .hasMessageContaining("dropped_table:" + table);
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file WHERE end_snapshot IS NULL"))
        .isEqualTo("0");
  }

  @Test
  @DisplayName("CAT-03: an append by name never lands in a table that took the name meanwhile")
  void cat03AppendByNameDoesNotLandInASuccessor() {
    lake.createTable(NAME, K);
    long planned = lake.append(NAME, lake.invented("first", 1)).snapshotId();
    lake.commit(
        new Change.DropTable(new TableRef.ByName(NAME)),
        new Change.CreateTable(NAME, List.of(K), List.of(), IfExists.REFUSE));

    assertThatThrownBy(
            () ->
                lake.catalog.commit(
                    CommitRequest.of(
                        "append late",
                        new Base.PlannedOn(planned),
                        List.of(
                            new Change.AddDataFiles(
                                new TableRef.ByName(NAME), List.of(lake.invented("late", 1)))))))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("created_table:\"s\".\"t\"");
  }

  @Test
  @DisplayName("CAT-03: an append that comes after its table's content was replaced fails")
  void cat03AppendAfterAReplacementFails() throws SQLException {
    lake.createTable(NAME, K);
    long planned = lake.append(NAME, lake.invented("first", 1)).snapshotId();
    CommitRequest late =
        CommitRequest.of(
            "append late",
            new Base.PlannedOn(planned),
            List.of(
                new Change.AddDataFiles(
                    new TableRef.ByName(NAME), List.of(lake.invented("late", 1)))));
    lake.commit(TestLake.publish(NAME, List.of(K), lake.invented("new", 1)));

    assertThatThrownBy(() -> lake.catalog.commit(late))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("append late: conflicts with a commit made since snapshot 2");
    assertThat(lake.sql("SELECT path FROM ducklake_data_file WHERE end_snapshot IS NULL"))
        .isEqualTo(lake.folder + "/data/in/new.parquet");
  }

  @Test
  @DisplayName("CAT-15: 20 workers make a schema if missing and a table each, and read it at once")
  void cat15TwentyWorkersShareOneSchema() throws Exception {
    // two processes on the lake: within one, commits share transactions
    List<Catalog> processes =
        List.of(lake.catalog, Catalog.open(lake.database.dataSource(), TestLake.LAKE));
    List<NewDataFile> files = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      files.add(lake.file("SELECT %d::INT AS k FROM range(%d)".formatted(i, i + 1)));
    }
    List<Callable<Long>> workers =
        IntStream.range(0, 20)
            .<Callable<Long>>mapToObj(i -> () -> makeAndRead(processes.get(i % 2), i, files.get(i)))
            .toList();

    List<Long> rows = Workers.together(workers);

    assertThat(rows).containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
    assertThat(
            lake.sql(
                "SELECT (SELECT count(*) FROM ducklake_schema WHERE schema_name = 's'),"
                    + " (SELECT count(*) FROM ducklake_table WHERE end_snapshot IS NULL)"))
        .isEqualTo("1 20");
    for (int i = 0; i < 20; i++) {
      assertThat(lake.ask("SELECT count(*), min(k), max(k) FROM s.t" + i))
          .isEqualTo((i + 1) + " " + i + " " + i);
    }
  }

  /** Each step a commit of its own, which the next one has to see. */
  private static long makeAndRead(Catalog catalog, int number, NewDataFile file) {
    TableName name = new TableName("s", "t" + number);
    for (Change step :
        List.of(
            new Change.CreateSchema("s", IfExists.KEEP),
            new Change.CreateTable(name, List.of(K), List.of(), IfExists.REFUSE),
            new Change.AddDataFiles(new TableRef.ByName(name), List.of(file)))) {
      catalog.commit(CommitRequest.of("step", new Base.Newest(), List.of(step)));
    }
    Snapshot seen = catalog.reader().latest();
    Table table = catalog.reader().view(seen).table(name);
    return catalog.reader().plan(seen, table, Predicate.all()).files().stream()
        .mapToLong(ScanFile::recordCount)
        .sum();
  }

  @Test
  void eightWritersPublishOneTableWithoutAFailure() throws Exception {
    List<Callable<CommitResult>> writers =
        IntStream.range(0, 8)
            .<Callable<CommitResult>>mapToObj(
                w ->
                    () -> {
                      CommitResult last = null;
                      for (int i = 0; i < 10; i++) {
                        last =
                            lake.commit(
                                TestLake.publish(
                                    NAME, List.of(K), lake.invented("p-" + w + "-" + i, 1)));
                      }
                      return last;
                    })
            .toList();

    assertThat(Workers.together(writers)).allMatch(result -> result.outcome() == Outcome.COMMITTED);
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file WHERE end_snapshot IS NULL"))
        .isEqualTo("1");
  }

  @Test
  @DisplayName("writer bug 27: a request that fails leaves the others of its transaction untouched")
  void oneFailureOfAGroupDoesNotTouchTheOthers() throws Exception {
    lake.createTable(NAME, K);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CommitStep hold =
        context -> {
          entered.countDown();
          await(go);
        };
    CommitStep brokenSql = context -> context.dsl().execute("SELECT 1 / 0");
    List<Callable<Object>> requests = new ArrayList<>();
    requests.add(
        () -> {
          // holds the transaction until the other three wait for the next one, together
          return lake.catalog.commit(appending("held").withSteps(hold));
        });
    for (int i = 0; i < 3; i++) {
      int number = i;
      requests.add(
          () -> {
            entered.await();
            go.countDown();
            CommitRequest request = appending("g-" + number);
            try {
              return lake.catalog.commit(number == 1 ? request.withSteps(brokenSql) : request);
            } catch (RuntimeException e) {
              return e;
            }
          });
    }

    List<Object> answers = Workers.together(requests);

    assertThat(answers.get(2)).isInstanceOf(RuntimeException.class);
    assertThat((RuntimeException) answers.get(2)).hasMessageContaining("SQLSTATE 22012");
    assertThat(List.of(answers.get(0), answers.get(1), answers.get(3)))
        .allMatch(CommitResult.class::isInstance);
    assertThat(lake.sql("SELECT record_count FROM ducklake_table_stats")).isEqualTo("3");
    assertThat(lake.sql("SELECT count(*), max(snapshot_id) FROM ducklake_snapshot"))
        .isEqualTo("5 4");
  }

  private CommitRequest appending(String file) {
    return CommitRequest.of(
        file,
        new Base.Newest(),
        List.of(
            new Change.AddDataFiles(new TableRef.ByName(NAME), List.of(lake.invented(file, 1)))));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void layoutsRememberedBetweenCommitsFollowForeignChanges() throws SQLException {
    lake.createTable(NAME, K);
    lake.append(NAME, lake.file("SELECT 1::INT AS k"));
    lake.duck.execute("ALTER TABLE s.t RENAME COLUMN k TO kk; ALTER TABLE s.t ADD COLUMN j INT");

    lake.append(NAME, lake.file("SELECT 2::INT AS kk, 20::INT AS j"));
    lake.duck.execute("DROP TABLE s.t; CREATE TABLE s.t (z INT)");
    lake.append(NAME, lake.file("SELECT 3::INT AS z"));

    assertThat(lake.ask("SELECT string_agg(z, ',') FROM s.t")).isEqualTo("3");
    assertThat(lake.ask("SELECT kk, j FROM s.t AT (VERSION => 5) ORDER BY kk"))
        .isEqualTo("1 null\n2 20");
  }

  @Test
  void whatAStepThrowsReachesTheCallerUntouchedAndNothingIsWritten() throws SQLException {
    lake.createTable(NAME, K);
    IllegalStateException refusal = new IllegalStateException("the fence says no");

    assertThatThrownBy(
            () ->
                lake.catalog.commit(
                    appending("x")
                        .withSteps(
                            context -> {
                              throw refusal;
                            })))
        .isSameAs(refusal)
        .hasMessage("the fence says no");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file")).isEqualTo("0");
  }

  @Test
  void unknownTableIsRefusedByName() {
    assertThatThrownBy(() -> lake.append(NAME, lake.invented("y", 1)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("table s.t: does not exist");
  }
}
