package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.commit.GroupCommit.Pending;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.catalog.read.CountingDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that share a transaction: each becomes what it would have become alone. */
class GroupWorkTest {

  private static final ColumnSpec K = ColumnSpec.of("k", Scalar.INT32);
  private static final ColumnSpec G = ColumnSpec.of("g", Scalar.INT32);

  @TempDir Path folder;
  private TestLake lake;
  private CountingDataSource counting;
  private CommitTransaction transaction;

  @BeforeEach
  void createTables() throws SQLException {
    lake = TestLake.create(folder);
    lake.createTable(name(0), K);
    lake.createTable(name(1), K);
    lake.createTable(name(2), K);
    counting = new CountingDataSource(lake.database.dataSource());
    transaction =
        new CommitTransaction(counting.proxied(), lake.catalog.info(), CommitSettings.defaults());
    // from here on the layouts of the tables are known
    run(appends("known", 0), appends("known", 1), appends("known", 2));
    counting.reset();
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private static TableName name(int table) {
    return new TableName("s", "t" + table);
  }

  private CommitRequest appends(String file, int table) {
    return request(
        file + table,
        new Change.AddDataFiles(
            new TableRef.ByName(name(table)), List.of(lake.invented(file + table, 1))));
  }

  private static CommitRequest request(String key, Change... changes) {
    return CommitRequest.of(key, new Base.Newest(), List.of(changes)).withKey(key);
  }

  private List<Pending> run(CommitRequest... requests) {
    List<Pending> group = Arrays.stream(requests).map(Pending::new).toList();
    transaction.run(group);
    return group;
  }

  private static void assertCommitted(Pending pending, long snapshot) {
    assertThat(pending.failure()).isNull();
    assertThat(pending.result(1)).isEqualTo(new CommitResult(snapshot, Outcome.COMMITTED, 1));
  }

  private static void assertRefused(Pending pending, String reason) {
    assertThat(pending.failure())
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining(reason);
  }

  private void assertNoGap(long newest) throws SQLException {
    assertThat(
            lake.sql(
                "SELECT count(*) - 1, max(snapshot_id), (SELECT count(*) FROM"
                    + " ducklake_snapshot_changes) - 1, (SELECT count(*) FROM sluice.commit_log)"
                    + " FROM ducklake_snapshot"))
        .isEqualTo("%1$d %1$d %1$d %1$d".formatted(newest));
  }

  @Test
  @DisplayName("Appends to different tables are a snapshot each and share three round trips")
  void differentTablesShareRoundTrips() throws SQLException {
    List<Pending> group = run(appends("a", 0), appends("a", 1), appends("a", 2));

    assertThat(counting.statements()).isEqualTo(3);
    assertCommitted(group.get(0), 7);
    assertCommitted(group.get(1), 8);
    assertCommitted(group.get(2), 9);
    assertNoGap(9);
    assertThat(
            lake.sql(
                "SELECT snapshot_id, schema_version, next_file_id, changes_made"
                    + " FROM ducklake_snapshot JOIN ducklake_snapshot_changes USING (snapshot_id)"
                    + " WHERE snapshot_id > 6 ORDER BY 1"))
        .isEqualTo(
            """
            7 3 4 inserted_into_table:2
            8 3 5 inserted_into_table:3
            9 3 6 inserted_into_table:4""");
    assertThat(
            lake.sql(
                "SELECT data_file_id, table_id, begin_snapshot FROM ducklake_data_file"
                    + " WHERE begin_snapshot > 6 ORDER BY 1"))
        .isEqualTo("3 2 7\n4 3 8\n5 4 9");
    assertThat(
            lake.sql(
                "SELECT count(*) FROM ducklake_snapshot a JOIN ducklake_snapshot b ON"
                    + " b.snapshot_id = a.snapshot_id + 1 WHERE b.snapshot_time < a.snapshot_time"))
        .isEqualTo("0");
    assertThat(lake.sql("SELECT DISTINCT record_count, next_row_id FROM ducklake_table_stats"))
        .isEqualTo("2 2");
  }

  @Test
  void requestsOfOneTableBuildOnEachOther() throws SQLException {
    List<Pending> group =
        run(
            appends("a", 0),
            request("p", TestLake.publish(name(0), List.of(K), lake.invented("p", 5))),
            appends("b", 0),
            request("q", TestLake.publish(name(0), List.of(K), lake.invented("q", 7))));

    assertCommitted(group.get(3), 10);
    assertNoGap(10);
    assertThat(
            lake.sql(
                "SELECT record_count, row_id_start, begin_snapshot, end_snapshot"
                    + " FROM ducklake_data_file WHERE table_id = 2 ORDER BY data_file_id"))
        .isEqualTo("1 0 4 8\n1 1 7 8\n5 2 8 10\n1 7 9 10\n7 8 10 null");
    assertThat(
            lake.sql(
                "SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats"
                    + " WHERE table_id = 2"))
        .isEqualTo("7 15 1000");
  }

  @Test
  void oneKeyTwiceIsCommittedOnce() throws SQLException {
    List<Pending> group = run(appends("a", 0), appends("a", 0), appends("a", 1));

    assertCommitted(group.get(0), 7);
    assertThat(group.get(1).result(1)).isEqualTo(new CommitResult(7, Outcome.ALREADY_COMMITTED, 1));
    assertCommitted(group.get(2), 8);
    assertNoGap(8);
  }

  @Test
  void onePathTwiceIsRefusedTheSecondTime() throws SQLException {
    NewDataFile file = lake.invented("shared", 1);

    List<Pending> group =
        run(
            request("a", new Change.AddDataFiles(new TableRef.ByName(name(0)), List.of(file))),
            request("b", new Change.AddDataFiles(new TableRef.ByName(name(1)), List.of(file))),
            appends("c", 2));

    assertCommitted(group.get(0), 7);
    assertRefused(group.get(1), "data file 3 of table id 2 (live) names it");
    assertCommitted(group.get(2), 8);
    assertNoGap(8);
  }

  @Test
  void refusalInTheMiddleLeavesNoGap() throws SQLException {
    List<Pending> group =
        run(
            request("none", new Change.DropSchema("none")),
            appends("a", 0),
            request("keep", new Change.CreateSchema("s", IfExists.KEEP)),
            appends("known", 1),
            request(
                "gone",
                new Change.AddDataFiles(
                    TableRef.name("s", "gone"), List.of(lake.invented("gone", 1)))),
            appends("a", 1));

    assertRefused(group.get(0), "schema none: does not exist");
    assertCommitted(group.get(1), 7);
    assertThat(group.get(2).result(1)).isEqualTo(new CommitResult(7, Outcome.NOTHING_TO_DO, 1));
    assertThat(group.get(3).result(1)).isEqualTo(new CommitResult(5, Outcome.ALREADY_COMMITTED, 1));
    assertRefused(group.get(4), "table s.gone: does not exist");
    assertCommitted(group.get(5), 8);
    assertNoGap(8);
  }

  @Test
  void groupOfRefusalsCommitsNothing() throws SQLException {
    List<Pending> group =
        run(
            request("none", new Change.DropSchema("none")),
            request("keep", new Change.CreateSchema("s", IfExists.KEEP)));

    assertRefused(group.get(0), "schema none: does not exist");
    assertThat(group.get(1).result(1)).isEqualTo(new CommitResult(6, Outcome.NOTHING_TO_DO, 1));
    assertNoGap(6);
  }

  @Test
  void laterRequestsSeeTheLayoutThatEarlierOnesMade() throws SQLException {
    NewDataFile wide = lake.file("SELECT 1::INT AS k, 2::INT AS g");
    NewDataFile wider = lake.file("SELECT 3::INT AS k, 4::INT AS g");

    List<Pending> group =
        run(
            request("wide", TestLake.publish(name(0), List.of(K, G), wide)),
            request("other", TestLake.publish(name(1), List.of(K))),
            request("more", new Change.AddDataFiles(new TableRef.ByName(name(0)), List.of(wider))),
            request("rename", new Change.RenameTable(new TableRef.ByName(name(2)), "t3")),
            request("empty", TestLake.publish(new TableName("s", "t3"), List.of(K))));

    assertCommitted(group.get(4), 11);
    assertNoGap(11);
    assertThat(lake.ask("SELECT k, g FROM s.t0 ORDER BY k")).isEqualTo("1 2\n3 4");
    assertThat(lake.ask("SELECT count(*) FROM s.t3")).isEqualTo("0");
    assertThat(
            lake.sql(
                "SELECT string_agg(schema_version::varchar, ' ' ORDER BY snapshot_id)"
                    + " FROM ducklake_snapshot WHERE snapshot_id > 6"))
        .isEqualTo("4 4 4 5 5");
  }

  @Test
  void manyFilesAndFewShareATransaction() throws SQLException {
    NewDataFile[] many =
        IntStream.range(0, 500)
            .mapToObj(
                i -> lake.invented("many-" + i, 2, TestLake.bounds("k", 2, "" + i, "" + (i + 1))))
            .toArray(NewDataFile[]::new);

    List<Pending> group =
        run(
            appends("a", 0),
            request("many", TestLake.publish(name(1), List.of(K), many)),
            appends("a", 2));

    assertCommitted(group.get(0), 7);
    assertCommitted(group.get(1), 8);
    assertCommitted(group.get(2), 9);
    assertThat(
            lake.sql(
                "SELECT count(*), sum(record_count), count(DISTINCT data_file_id),"
                    + " (SELECT count(*) FROM ducklake_file_column_stats WHERE table_id = 3)"
                    + " FROM ducklake_data_file WHERE table_id = 3 AND end_snapshot IS NULL"))
        .isEqualTo("500 1000 500 500");
    assertThat(
            lake.sql(
                "SELECT record_count, next_row_id FROM ducklake_table_stats WHERE table_id = 3"))
        .isEqualTo("1000 1001");
  }

  @Test
  void spoiltTransactionIsDoneAgainOneByOne() throws SQLException {
    CommitStep broken = context -> context.dsl().execute("SELECT 1 / 0");

    List<Pending> group = run(appends("a", 0), appends("b", 1).withSteps(broken), appends("c", 2));

    assertCommitted(group.get(0), 7);
    assertThat(group.get(1).failure()).hasMessageContaining("division by zero");
    assertCommitted(group.get(2), 8);
    assertNoGap(8);
  }

  @Test
  void foreignChangeIsFoundInATableKnownToBeOurs() throws SQLException {
    run(request("p", TestLake.publish(name(0), List.of(K), lake.file("SELECT 1::INT AS k"))));
    run(request("q", TestLake.publish(name(0), List.of(K), lake.file("SELECT 2::INT AS k"))));
    NewDataFile next = lake.file("SELECT 4::INT AS k");

    lake.duck.execute("INSERT INTO s.t0 VALUES (3)");

    List<Pending> refused = run(request("r", TestLake.publish(name(0), List.of(K), next)));
    assertRefused(refused.get(0), "was changed by others");
    assertThat(lake.ask("SELECT k FROM s.t0 ORDER BY k")).isEqualTo("2\n3");
  }

  @Test
  void commitsOfAnotherProcessOfOursAreNotTakenForForeign() throws SQLException {
    run(request("p", TestLake.publish(name(0), List.of(K), lake.file("SELECT 1::INT AS k"))));

    lake.append(name(0), lake.file("SELECT 2::INT AS k"));
    List<Pending> group =
        run(request("q", TestLake.publish(name(0), List.of(K), lake.file("SELECT 3::INT AS k"))));

    assertCommitted(group.get(0), 9);
    assertThat(lake.ask("SELECT k FROM s.t0")).isEqualTo("3");
  }
}
