package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.TableName;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitions that take more than one file of the target size, and their order. */
class CutPartitionsTest {

  private static final TableName TABLE = new TableName("s", "t");

  private static final int TARGET_KB = 200;

  /** A file is closed after the row group that makes it large enough. */
  private static final int ROW_GROUP_KB = 160;

  private static final int ROW_GROUP_ROWS = 2048;

  /** Half of them in one partition, a fourth in another, a fourth in that of NULL, one alone. */
  private static final String ROWS =
      "SELECT range AS id, CASE WHEN range = 5 THEN 7 WHEN range % 4 < 2 THEN 1 WHEN range % 4 = 2"
          + " THEN 2 END AS k, sha256(range::VARCHAR) AS v FROM range(60000)";

  @TempDir Path folder;
  private WriteLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = WriteLake.own(folder);
    lake.run("CREATE SCHEMA s", "CREATE TABLE s.t (id BIGINT, k BIGINT, v VARCHAR)");
    lake.run("CALL lake.set_option('target_file_size', '" + TARGET_KB + "KB')");
    lake.run("CALL lake.set_option('parquet_row_group_size', " + ROW_GROUP_ROWS + ")");
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private void alter(String... alters) throws SQLException {
    for (String alter : alters) {
      lake.run("ALTER TABLE s.t " + alter);
    }
  }

  /** Files with their partitions are what they should be, to us and to DuckDB. */
  private void assertCut() throws SQLException, IOException {
    assertThat(
            lake.rows(
                "SELECT k, count(*) FROM (SELECT DISTINCT k, filename FROM s.t) GROUP BY k"
                    + " ORDER BY k"))
        .containsExactly(row("1", "8"), row("2", "4"), row("7", "1"), row(null, "4"));
    assertThat(
            lake.value(
                "SELECT max(data_file_size_bytes) FROM ducklake_list_files('lake', 't', schema =>"
                    + " 's')"))
        .satisfies(
            bytes ->
                assertThat(Long.parseLong(bytes))
                    .isBetween(TARGET_KB * 1000L, (TARGET_KB + ROW_GROUP_KB) * 1000L));
    for (String k : List.of("k = 1", "k = 2", "k = 7", "k IS NULL")) {
      assertThat(lake.value("SELECT count(*) FROM s.t WHERE " + k))
          .isEqualTo(lake.value("SELECT count(*) FROM (" + ROWS + ") WHERE " + k));
    }
    assertThat(lake.objects()).noneMatch(object -> object.contains(TableWriter.STAGING));
  }

  private void assertRows(String expected) throws SQLException {
    assertThat(lake.rows("FROM s.t EXCEPT ALL " + expected)).isEmpty();
    assertThat(lake.rows(expected + " EXCEPT ALL FROM s.t")).isEmpty();
  }

  /** In every file, and from file to file of what is one partition. */
  private void assertInOrder(String partition) throws SQLException {
    assertThat(
            lake.value(
                "SELECT count(*) FROM (SELECT v, lag(v) OVER (PARTITION BY filename ORDER BY"
                    + " file_row_number) AS before FROM s.t) WHERE v < before"))
        .as("rows after a greater one")
        .isEqualTo("0");
    assertThat(
            lake.value(
                ("SELECT count(*) FROM (SELECT low, lag(high) OVER (PARTITION BY p ORDER BY low) AS"
                        + " before FROM (SELECT %s AS p, min(v) AS low, max(v) AS high FROM s.t"
                        + " GROUP BY p, filename)) WHERE low < before")
                    .formatted(partition)))
        .as("files that overlap")
        .isEqualTo("0");
  }

  @Test
  void largePartitionsTakeSeveralFiles() throws Exception {
    alter("SET PARTITIONED BY (k)");

    WriteResult result = lake.insert(TABLE, ROWS);

    assertThat(result.inserted()).isEqualTo(60_000);
    assertThat(result.files()).isEqualTo(17);
    assertCut();
    assertRows(ROWS);
    lake.assertAgreesEverywhere();
  }

  @Test
  void orderIsKeptWithinFilesAndFromFileToFile() throws Exception {
    alter("SET PARTITIONED BY (k)", "SET SORTED BY (v)");

    lake.insert(TABLE, ROWS);

    assertCut();
    assertInOrder("k");
    assertThat(
            lake.value(
                "SELECT count(*) FROM (SELECT v, lag(v) OVER (PARTITION BY k ORDER BY rowid) AS"
                    + " before FROM s.t) WHERE v < before"))
        .as("rows out of order by their ids")
        .isEqualTo("0");
    assertRows(ROWS);
  }

  @Test
  void orderIsKeptWithoutPartitions() throws Exception {
    alter("SET SORTED BY (v)");

    assertThat(lake.insert(TABLE, ROWS).files()).isEqualTo(15);

    assertInOrder("0");
    assertRows(ROWS);
  }

  @Test
  void updatedRowsAreCutAndSortedToo() throws Exception {
    alter("SET PARTITIONED BY (k)", "SET SORTED BY (v)");
    lake.run("INSERT INTO s.t SELECT id, NULL, v FROM (" + ROWS + ")");
    List<List<@Nullable String>> ids = lake.rows("SELECT id, rowid FROM s.t ORDER BY id");

    WriteResult result =
        lake.tables.update(
            UpdateRequest.of(
                TABLE,
                Map.of(
                    "k",
                    "CASE WHEN id = 5 THEN 7 WHEN id % 4 < 2 THEN 1 WHEN id % 4 = 2 THEN 2 END"),
                RowCondition.all()));

    assertThat(result.updated()).isEqualTo(60_000);
    assertCut();
    assertInOrder("k");
    assertRows(ROWS);
    assertThat(lake.rows("SELECT id, rowid FROM s.t ORDER BY id")).isEqualTo(ids);
    lake.assertAgreesEverywhere();
  }

  @Test
  void upsertedRowsAreCutAndSortedToo() throws Exception {
    alter("SET PARTITIONED BY (k)", "SET SORTED BY (v)");
    lake.run("INSERT INTO s.t SELECT id, k, 'old' FROM (" + ROWS + ") WHERE id = 7");

    WriteResult result =
        lake.tables.upsert(UpsertRequest.of(TABLE, new RowSource.Select(ROWS), List.of("id")));

    assertThat(result.inserted()).isEqualTo(59_999);
    assertThat(result.updated()).isEqualTo(1);
    assertRows(ROWS);
    lake.assertAgreesEverywhere();
  }
}
