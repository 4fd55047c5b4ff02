package dev.sluice.activities.parquet;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files that a table does not take: each is refused by file and column before anything is
 * committed, and neither the lake nor the file has changed.
 */
class RefusedFilesTest {

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

  private static void refused(String table, String path, String select, String message)
      throws SQLException {
    TestFiles.copy(lake.file(path), select);
    lake.assertRefused(table, message, path);
  }

  @Test
  @DisplayName("REG-02: a list of groups of one field is not taken as a list of structs")
  void reg02_aListOfGroupsOfOneFieldIsNoListOfStructs() throws SQLException {
    LegacyFiles.listOfOneField(lake.file("f.parquet"));
    lake.run("CREATE TABLE t(ls STRUCT(x INT)[])");

    lake.assertRefused(
        "t",
        "column 'ls.element' has type int32 where the table expects struct(x int32)",
        "f.parquet");
  }

  @Test
  @DisplayName("REG-06: a path that contradicts the file is refused with both values")
  void reg06_aPathThatContradictsTheFileIsRefused() throws SQLException {
    lake.run("CREATE TABLE t(id INT, p VARCHAR)", "ALTER TABLE t SET PARTITIONED BY (p)");

    refused(
        "t",
        "p=A/f.parquet",
        "SELECT 1 AS id, 'B' AS p",
        "column 'p' is 'A' in its path and B in the file");
  }

  @Test
  @DisplayName("REG-08: a path value that is no date is refused, also beside a good file")
  void reg08_aPathValueThatIsNoDateIsRefused() throws SQLException {
    lake.run("CREATE TABLE t(id INT, d DATE)");
    TestFiles.copy(lake.file("d=20240102/f.parquet"), "SELECT 1 AS id");
    TestFiles.copy(lake.file("d=2024-01-02/f.parquet"), "SELECT 2 AS id");

    lake.assertRefused(
        "t",
        "the value '20240102' of column 'd' in its path is no date",
        "d=20240102/f.parquet",
        "d=2024-01-02/f.parquet");
  }

  @Test
  @DisplayName("REG-12: a bucket that does not exist is refused by file and value")
  void reg12_aBucketThatDoesNotExistIsRefused() throws SQLException {
    lake.run(
        "CREATE TABLE t(user_id VARCHAR, v INT)",
        "ALTER TABLE t SET PARTITIONED BY (bucket(4, user_id))");

    refused(
        "t",
        "bucket=999/f.parquet",
        "SELECT 'alice' AS user_id, 1 AS v",
        "its path says bucket=999, but bucket(4) of user_id is buckets 0 to 3");
  }

  @Test
  @DisplayName("REG-13: a year that the rows are not of, or not all of, is refused")
  void reg13_aYearThatTheRowsAreNotOfIsRefused() throws SQLException {
    lake.run("CREATE TABLE t(ts TIMESTAMP)", "ALTER TABLE t SET PARTITIONED BY (year(ts))");

    refused(
        "t",
        "year=2024/a.parquet",
        "SELECT TIMESTAMP '2023-06-01' AS ts",
        "its path says year=2024, but year of ts is 2023");
    refused(
        "t",
        "year=2024/b.parquet",
        "SELECT unnest([TIMESTAMP '2023-12-31', TIMESTAMP '2024-01-01']) AS ts",
        "its path says year=2024, which its columns do not show; column 'ts' has values from"
            + " 2023-12-31 00:00:00 to 2024-01-01 00:00:00");
  }

  @Test
  @DisplayName("REG-15: NULL in a NOT NULL column is refused, and so is a footer that is silent")
  void reg15_nullInANotNullColumnIsRefused() throws SQLException {
    lake.run("CREATE TABLE t(id INT, x INT NOT NULL)");
    String select = "SELECT * FROM (VALUES (1, 10), (2, NULL)) t(id, x)";

    refused("t", "f.parquet", select, "column 'x' is NULL in 1 rows; the table's column is NOT");
    TestFiles.editFooter(
        TestFiles.copy(lake.file("g.parquet"), select),
        footer ->
            footer.getRow_groups().get(0).getColumns().get(1).getMeta_data().unsetStatistics());
    lake.assertRefused(
        "t", "column 'x' may hold NULL; the footer does not count its NULLs", "g.parquet");
  }

  @Test
  @DisplayName("REG-16, REG-17: a missing and an extra column are refused by name")
  void reg16_reg17_missingAndExtraColumnsAreRefused() throws SQLException {
    lake.run("CREATE TABLE t(i INT, j INT)");

    refused("t", "f.parquet", "SELECT 42 AS j", "column 'i' of the table is missing");
    refused(
        "t", "g.parquet", "SELECT 42 AS j, 84 AS i, 100 AS x", "column 'x' is not in the table");
  }

  @Test
  @DisplayName("REG-19: instants are not taken as local timestamps")
  void reg19_instantsAreNotTakenAsLocalTimestamps() throws SQLException {
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        "message m { required int64 t (TIMESTAMP(MICROS,true)); }",
        row -> row.append("t", 1704067200000000L));
    lake.run("CREATE TABLE t(t TIMESTAMP)");

    lake.assertRefused(
        "t", "column 't' has type timestamptz where the table expects timestamp;", "f.parquet");
  }

  @ParameterizedTest
  @DisplayName("REG-20, REG-25, REG-26: a type that does not fit is refused with both named")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          true                                   | VARCHAR      | boolean       | varchar
          'x'                                    | INT          | varchar       | int32
          1::BIGINT                              | INT          | int64         | int32
          1.5::DOUBLE                            | FLOAT        | float64       | float32
          99999999999.9999999::DECIMAL(18,7)     | DECIMAL(9,3) | decimal(18,7) | decimal(9,3)
          'plain text'                           | JSON         | varchar       | json
          """)
  void reg20_reg25_reg26_aTypeThatDoesNotFitIsRefused(
      String value, String column, String found, String expected) throws SQLException {
    lake.run("CREATE TABLE t(c " + column + ")");

    refused(
        "t",
        "f.parquet",
        "SELECT " + value + " AS c",
        "column 'c' has type " + found + " where the table expects " + expected + ";");
  }

  @Test
  @DisplayName("REG-37: a map that DuckDB cannot read is refused by column")
  void reg37_aMapThatDuckDbCannotReadIsRefused() throws SQLException {
    LegacyFiles.mapKeyValue(lake.file("f.parquet"));
    lake.run("CREATE TABLE t(m MAP(VARCHAR, INT))");

    lake.assertRefused(
        "t", "column 'm' is map, which cannot be registered; DuckDB reads a map", "f.parquet");
  }

  @Test
  @DisplayName("REG-39: a VARIANT column is refused as not supported")
  void reg39_aVariantColumnIsRefused() throws SQLException {
    lake.run("CREATE TABLE t(v VARCHAR)");

    refused(
        "t",
        "f.parquet",
        "SELECT {'Foo': 1}::VARIANT AS v UNION ALL SELECT {'foo': 2}::VARIANT",
        "column 'v' is variant, which cannot be registered;"
            + " variant columns are not supported by this version");
  }
}
