package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.RegisterResult;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generations for a table that a DuckDB user has partitioned, constrained or commented. */
class RegisterIntoAlteredTableTest {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  private static Source live(String table, String select) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", select);
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  /** A table that DuckDB made, without rows: the next generation is its first content. */
  private static Source made(String table, String columns) throws SQLException {
    Source source = path.newSource(table);
    path.session().execute("CREATE SCHEMA IF NOT EXISTS lake." + source.schema());
    path.session().execute("CREATE TABLE " + source.sql() + "(" + columns + ")");
    return source;
  }

  private static String refused(Source source) throws SQLException {
    return Refusal.of(path, source, source.trigger(200));
  }

  @Test
  @DisplayName("REG-12: a bucket that the value does not fall into is refused")
  void reg12WrongBucketIsRefused() throws Exception {
    Source source = live("reg12", "SELECT 'alice' AS user_id, 1 AS v");
    path.session()
        .execute("ALTER TABLE " + source.sql() + " SET PARTITIONED BY (bucket(4, user_id))");
    path.write(source, 200, "bucket=999/a.parquet", "SELECT 'alice' AS user_id, 2 AS v");

    assertThat(refused(source)).contains("a.parquet").contains("999");
  }

  @Test
  @DisplayName("REG-13: a year folder that the rows contradict is refused")
  void reg13WrongYearIsRefused() throws Exception {
    Source source = live("reg13", "SELECT TIMESTAMP '2022-01-01 00:00:00' AS ts");
    path.session().execute("ALTER TABLE " + source.sql() + " SET PARTITIONED BY (year(ts))");
    path.write(source, 200, "year=2024/a.parquet", "SELECT TIMESTAMP '2023-06-01 00:00:00' AS ts");

    assertThat(refused(source)).contains("a.parquet").contains("2024").contains("2023");
  }

  @Test
  @DisplayName("REG-13: a file of two years under one year folder is refused")
  void reg13FileOfTwoYearsIsRefused() throws Exception {
    Source source = live("reg13_two", "SELECT TIMESTAMP '2022-01-01 00:00:00' AS ts");
    path.session().execute("ALTER TABLE " + source.sql() + " SET PARTITIONED BY (year(ts))");
    path.write(
        source,
        200,
        "year=2024/a.parquet",
        "SELECT TIMESTAMP '2023-12-31 00:00:00' AS ts UNION ALL SELECT TIMESTAMP '2024-01-01'");

    assertThat(refused(source)).contains("a.parquet").contains("2024");
  }

  @Test
  @DisplayName(
      "REG-10: year, month and day folders become the values of the table's partition keys")
  void reg10CalendarFoldersBecomePartitionValues() throws Exception {
    Source source = live("reg10", "SELECT 0 AS id, TIMESTAMP '2022-01-01 00:00:00' AS ts");
    path.session()
        .execute(
            "ALTER TABLE " + source.sql() + " SET PARTITIONED BY (year(ts), month(ts), day(ts))");
    path.write(
        source,
        200,
        "year=2026/month=05/day=31/a.parquet",
        "SELECT 1 AS id, TIMESTAMP '2026-05-31 10:00:00' AS ts");
    path.write(
        source,
        200,
        "year=2026/month=06/day=01/a.parquet",
        "SELECT 2 AS id, TIMESTAMP '2026-06-01 10:00:00' AS ts");

    RegisterResult result = path.run(source.trigger(200));

    assertThat(result.reason()).isNull();
    assertThat(path.duckDb("SELECT id FROM " + source.sql() + " WHERE ts >= '2026-06-01'"))
        .containsExactly(List.of("2"));
    assertThat(path.duckDb("SELECT column_name FROM (DESCRIBE " + source.sql() + ")"))
        .containsExactly(List.of("id"), List.of("ts"));
    assertThat(path.catalogRows().rows("ducklake_file_partition_value"))
        .hasSizeGreaterThanOrEqualTo(6);
  }

  @Test
  @DisplayName("REG-15: NULL in a NOT NULL column is refused")
  void reg15NullInNotNullColumnIsRefused() throws Exception {
    Source source = made("reg15", "id INT, x INT NOT NULL");
    path.write(source, 200, "a.parquet", "SELECT 1 AS id, 10 AS x UNION ALL SELECT 2, NULL");

    assertThat(refused(source)).contains("a.parquet").contains("x");
    assertThat(path.scan(source)).isEmpty();
  }

  @Test
  @DisplayName("REG-15: NULLs that the footer does not count are looked for in the data")
  void reg15NullsThatTheFooterDoesNotCountAreLookedFor() throws Exception {
    Source source = made("reg15_silent", "id INT, x INT NOT NULL");
    path.put(
        source.folder(200),
        "a.parquet",
        withoutStatisticsOfX(path.parquet("SELECT 1 AS id, 10 AS x UNION ALL SELECT 2, NULL")));

    assertThat(refused(source)).contains("a.parquet: column 'x' is NULL in 1 rows");

    path.put(
        source.folder(200),
        "a.parquet",
        withoutStatisticsOfX(path.parquet("SELECT 1 AS id, 10 AS x UNION ALL SELECT 2, 20")));
    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.scan(source)).containsExactlyInAnyOrder(List.of("1", "10"), List.of("2", "20"));
  }

  private static byte[] withoutStatisticsOfX(byte[] parquet) {
    return PreparedFiles.withFooter(
        parquet,
        footer ->
            footer.getRow_groups().getFirst().getColumns().get(1).getMeta_data().unsetStatistics());
  }

  @Test
  void commentsAndConstraintsStay() throws Exception {
    Source source = made("commented", "id INT, x INT NOT NULL");
    path.session().execute("COMMENT ON TABLE " + source.sql() + " IS 'ours'");
    path.write(source, 200, "a.parquet", "SELECT 2 AS id, 20 AS x");

    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(
            path.duckDb(
                "SELECT comment FROM duckdb_tables() WHERE table_name = '"
                    + source.published()
                    + "'"))
        .containsExactly(List.of("ours"));
    assertThat(
            path.duckDb(
                "SELECT \"null\" FROM (DESCRIBE " + source.sql() + ") WHERE column_name = 'x'"))
        .containsExactly(List.of("NO"));
    assertThat(path.scan(source)).containsExactly(List.of("2", "20"));
  }

  @Test
  void tableThatWasPartitionedByFoldersStaysSo() throws Exception {
    Source source = path.newSource("stays_partitioned");
    path.write(source, 100, "p=A/a.parquet", "SELECT 1 AS id");
    path.write(source, 200, "p=A/a.parquet", "SELECT 2 AS id");
    path.write(source, 200, "p=B/a.parquet", "SELECT 3 AS id");
    path.run(source.trigger(100));

    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.duckDb("SELECT id FROM " + source.sql() + " WHERE p = 'B'"))
        .containsExactly(List.of("3"));
    path.session().execute("INSERT INTO " + source.sql() + " SELECT 4, 'C'");
    assertThat(
            path.duckDb(
                "SELECT count(*) FROM ducklake_list_files('lake', '%s', schema => '%s')"
                        .formatted(source.published(), source.schema())
                    + " WHERE data_file LIKE '%p=C%'"))
        .containsExactly(List.of("1"));
  }

  @Test
  void partitionColumnThatTheNextGenerationLacksIsRefused() throws Exception {
    Source source = path.newSource("lost_partition");
    path.write(source, 100, "p=A/a.parquet", "SELECT 1 AS id");
    path.write(source, 200, "a.parquet", "SELECT 2 AS id");
    path.run(source.trigger(100));

    assertThat(refused(source)).contains("p").contains(source.published());
    assertThat(path.scan(source)).containsExactly(List.of("1", "A"));
  }

  @Test
  void partitionColumnThatMovesIntoTheFilesIsAccepted() throws Exception {
    Source source = path.newSource("moved_partition");
    path.write(source, 100, "p=A/a.parquet", "SELECT 1 AS id");
    path.write(source, 200, "p=A/a.parquet", "SELECT 2 AS id, 'A' AS p");
    path.run(source.trigger(100));

    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.duckDb("SELECT id, p FROM " + source.sql())).containsExactly(List.of("2", "A"));
    assertThat(path.scan(source)).containsExactly(List.of("2", "A"));
  }
}
