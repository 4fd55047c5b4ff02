package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.read.Predicate.Operator;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values in the paths of registered files, as DuckDB and our own scan read them. */
class RegisteredPathsTest {

  private static RegistrationLake lake;

  @BeforeAll
  static void open(@TempDir Path folder) throws SQLException {
    lake = RegistrationLake.create(folder);
  }

  @BeforeEach
  void startAfresh() throws SQLException {
    lake.startAfresh();
  }

  @AfterAll
  static void close() throws SQLException {
    if (lake != null) {
      lake.close();
    }
  }

  @Test
  void aTableMadeFromPreparedFoldersHasTheirKeysAsColumns() throws SQLException {
    String july = "_ph_partition_key=2026-07/part-0.parquet";
    String august = "_ph_partition_key=2026-08/part-0.parquet";
    TestFiles.copy(lake.file(july), "SELECT 1::SMALLINT AS id, {'a': [1]} AS s");
    TestFiles.copy(lake.file(august), "SELECT 2::BIGINT AS ID, {'a': [2, NULL]} AS s");

    lake.createFrom("t", july, august);

    lake.assertRows("t", "1|{'a': [1]}|2026-07", "2|{'a': [2, NULL]}|2026-08");
    lake.assertFinds(1, "t", "_ph_partition_key", Operator.EQUAL, "2026-08");
    lake.assertFinds(1, "t", "id", Operator.GREATER, "1");
    assertThat(lake.plannedFiles("t", "_ph_partition_key", Operator.EQUAL, "2026-08")).isEqualTo(1);
    assertThat(lake.ask("SELECT max(id) FROM t")).isEqualTo("2");
  }

  @Test
  @DisplayName("REG-11: a folder that is a column is read once beside calendar folders")
  void reg11_aFolderThatIsAColumnIsReadOnce() throws SQLException {
    String path = "team_id=2/year=2026/month=03/day=30/f.parquet";
    TestFiles.copy(lake.file(path), "SELECT 2 AS team_id, TIMESTAMP '2026-03-30 12:00:00' AS ts");
    lake.run(
        "CREATE TABLE t(team_id INT, ts TIMESTAMP)",
        "ALTER TABLE t SET PARTITIONED BY (year(ts), month(ts), day(ts))");

    lake.register("t", path);

    lake.assertRows("t", "2|2026-03-30 12:00:00");
    lake.assertFinds(1, "t", "team_id", Operator.EQUAL, "2");
    lake.assertStoredPartitionValues("t", "0=2026", "1=3", "2=30");
  }

  @Test
  @DisplayName("REG-05: a column in path and file comes back once")
  void reg05_aColumnInPathAndFileComesBackOnce() throws SQLException {
    TestFiles.copy(lake.file("p=A/f.parquet"), "SELECT 1 AS id, 'A' AS p");
    lake.run("CREATE TABLE t(id INT, p VARCHAR)", "ALTER TABLE t SET PARTITIONED BY (p)");

    lake.register("t", "p=A/f.parquet");

    lake.assertRows("t", "1|A");
    lake.assertFinds(1, "t", "p", Operator.EQUAL, "A");
    lake.assertFinds(0, "t", "p", Operator.EQUAL, "B");
    lake.assertStoredPartitionValues("t", "0=A");
  }

  @Test
  @DisplayName("REG-07: NULL and empty values of paths come back")
  void reg07_nullAndEmptyValuesOfPathsComeBack() throws SQLException {
    String[] paths = {"p=NULL/f.parquet", "p=null/f.parquet", "p=/f.parquet"};
    for (int i = 0; i < paths.length; i++) {
      TestFiles.copy(lake.file(paths[i]), "SELECT " + (i + 1) + " AS id");
      TestFiles.copy(lake.file("n/" + paths[i]), "SELECT " + (i + 1) + " AS id");
    }
    lake.run("CREATE TABLE t(id INT, p VARCHAR)", "CREATE TABLE n(id INT, p INT)");

    lake.register("t", paths);
    lake.register("n", "n/" + paths[0], "n/" + paths[1], "n/" + paths[2]);

    lake.assertRows("t", "1|NULL", "2|NULL", "3|");
    lake.assertFindsNulls(2, "t", "p");
    lake.assertFinds(1, "t", "p", Operator.EQUAL, "");
    lake.assertRows("n", "1|NULL", "2|NULL", "3|NULL");
    lake.assertFindsNulls(3, "n", "p");
  }

  @Test
  @DisplayName("REG-08: values of paths come back in the column's type")
  void reg08_valuesOfPathsComeBackInTheColumnsType() throws SQLException {
    TestFiles.copy(lake.file("p=0x10/f.parquet"), "SELECT 1 AS id");
    TestFiles.copy(lake.file("p=007/f.parquet"), "SELECT 2 AS id");
    TestFiles.copy(lake.file("d=2024-01-02/f.parquet"), "SELECT 3 AS id");
    lake.run("CREATE TABLE t(id INT, p INT)", "CREATE TABLE u(id INT, d DATE)");

    lake.register("t", "p=0x10/f.parquet", "p=007/f.parquet");
    lake.register("u", "d=2024-01-02/f.parquet");

    lake.assertRows("t", "1|16", "2|7");
    lake.assertFinds(1, "t", "p", Operator.EQUAL, "16");
    lake.assertFinds(1, "t", "p", Operator.LESS, "10");
    lake.assertRows("u", "3|2024-01-02");
    lake.assertFinds(1, "u", "d", Operator.EQUAL, "2024-01-02");
  }

  @Test
  void awkwardValuesOfPathsComeBack() throws SQLException {
    String[] paths = {
      "p=a%2Fb%20c/f.parquet",
      "p=x%3Dy/f.parquet",
      "p=%E6%97%A5%20%E8%AA%9E/f.parquet",
      "p=100%25/f.parquet",
      "p=it's/f.parquet"
    };
    for (String path : paths) {
      TestFiles.copy(lake.file(path), "SELECT 1 AS id");
    }
    lake.run("CREATE TABLE t(id INT, p VARCHAR)");

    lake.register("t", paths);

    lake.assertRows("t", "1|a/b c", "1|x=y", "1|日 語", "1|100%", "1|it's");
    lake.assertFinds(1, "t", "p", Operator.EQUAL, "x=y");
    lake.assertFinds(1, "t", "p", Operator.EQUAL, "100%");
  }

  @Test
  void aFolderSpelledInAnotherCaseOrEncodedFeedsItsColumn() throws SQLException {
    TestFiles.copy(lake.file("P=A/k%20y=B/f.parquet"), "SELECT 1 AS id");
    lake.run("CREATE TABLE t(id INT, p VARCHAR, \"k y\" VARCHAR)");

    lake.register("t", "P=A/k%20y=B/f.parquet");

    lake.assertRows("t", "1|A|B");
  }

  @Test
  @DisplayName("REG-09: each filter finds the row, whatever the order of folders")
  void reg09_eachFilterFindsTheRow() throws SQLException {
    TestFiles.copy(lake.file("a=1/m=2/z=3/f.parquet"), "SELECT 'x' AS v");
    lake.run(
        "CREATE TABLE t(z INT, a INT, m INT, v VARCHAR)",
        "ALTER TABLE t SET PARTITIONED BY (z, a, m)");

    lake.register("t", "a=1/m=2/z=3/f.parquet");

    lake.assertRows("t", "3|1|2|x");
    lake.assertFinds(1, "t", "z", Operator.EQUAL, "3");
    lake.assertFinds(1, "t", "a", Operator.EQUAL, "1");
    lake.assertFinds(1, "t", "m", Operator.EQUAL, "2");
    lake.assertFinds(0, "t", "z", Operator.EQUAL, "1");
    lake.assertStoredPartitionValues("t", "0=3", "1=1", "2=2");
  }

  @Test
  @DisplayName("REG-10: a filter on a day reads one file, and DuckDB merges the table")
  void reg10_aFilterOnADayReadsOneFile() throws SQLException {
    String may = "year=2026/month=05/day=31/f.parquet";
    String june = "year=2026/month=06/day=01/f.parquet";
    TestFiles.copy(lake.file(may), "SELECT 1 AS id, TIMESTAMP '2026-05-31 12:00:00' AS ts");
    TestFiles.copy(lake.file(june), "SELECT 2 AS id, TIMESTAMP '2026-06-01 12:00:00' AS ts");
    lake.run(
        "CREATE TABLE t(id INT, ts TIMESTAMP)",
        "ALTER TABLE t SET PARTITIONED BY (year(ts), month(ts), day(ts))");

    lake.register("t", may, june);

    lake.assertFinds(1, "t", "ts", Operator.LESS, "2026-06-01 00:00:00");
    assertThat(lake.plannedFiles("t", "ts", Operator.LESS, "2026-06-01 00:00:00")).isEqualTo(1);
    lake.assertStoredPartitionValues("t", "0=2026", "1=5", "2=31", "0=2026", "1=6", "2=1");
    lake.run("CALL ducklake_merge_adjacent_files('lake')");
    lake.assertRows("t", "1|2026-05-31 12:00:00", "2|2026-06-01 12:00:00");
  }
}
