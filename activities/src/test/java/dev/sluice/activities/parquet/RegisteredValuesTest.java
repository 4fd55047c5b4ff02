package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.read.Predicate.Operator;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values of each type in registered files, and the bounds stored for them: the same rows, filters
 * and counts by DuckDB and by our own scan.
 */
class RegisteredValuesTest {

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
  @DisplayName("REG-19: a table made from instants shows them in UTC")
  void reg19_aTableMadeFromInstantsShowsThemInUtc() throws SQLException {
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        "message m { required int64 t (TIMESTAMP(MICROS,true)); }",
        row -> row.append("t", 1704067200000000L));

    lake.createFrom("t", "f.parquet");

    lake.assertRows("t", "2024-01-01 00:00:00+00");
    lake.assertFinds(1, "t", "t", Operator.EQUAL, "2024-01-01 00:00:00+00");
  }

  @Test
  @DisplayName("REG-19: instants go into a column of instants, unshifted whatever the session")
  void reg19_instantsAreNeverShifted() throws SQLException {
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        "message m { required int64 t (TIMESTAMP(MICROS,true)); }",
        row -> row.append("t", 1704067200000000L));
    lake.run("CREATE TABLE t(t TIMESTAMPTZ)", "SET TimeZone = 'America/New_York'");
    try {
      lake.register("t", "f.parquet");
      assertThat(lake.ask("SELECT epoch_us(t) FROM t")).isEqualTo("1704067200000000");
      lake.assertFinds(1, "t", "t", Operator.EQUAL, "2024-01-01 00:00:00+00");
    } finally {
      lake.run("SET TimeZone = 'UTC'");
    }
    lake.assertRows("t", "2024-01-01 00:00:00+00");
    lake.assertStoredBounds("t", "t", "2024-01-01 00:00:00+00..2024-01-01 00:00:00+00");
  }

  @Test
  @DisplayName("REG-21: INT96 timestamps come back and are found")
  void reg21_int96TimestampsComeBack() throws SQLException {
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        "message m { required int96 t; }",
        row -> row.append("t", new NanoTime(2459581, 45000123456789L)),
        row -> row.append("t", new NanoTime(2440588, 0)),
        row -> row.append("t", new NanoTime(1721426, 0)));
    lake.run("CREATE TABLE t(t TIMESTAMP)");

    lake.register("t", "f.parquet");

    lake.assertRows(
        "t", "2022-01-01 12:30:00.123456", "1970-01-01 00:00:00", "0001-01-01 00:00:00");
    lake.assertFinds(1, "t", "t", Operator.EQUAL, "2022-01-01 12:30:00.123456");
    lake.assertFinds(1, "t", "t", Operator.EQUAL, "1970-01-01 00:00:00");
    lake.assertFinds(1, "t", "t", Operator.EQUAL, "0001-01-01 00:00:00");
    lake.assertStoredBounds("t", "t", "NULL..NULL");
  }

  @Test
  @DisplayName("REG-22: nanoseconds are exact, or cut as they are shown")
  void reg22_nanosecondsAreExactOrCut() throws SQLException {
    for (String name : new String[] {"n.parquet", "u.parquet"}) {
      TestFiles.parquetJava(
          lake.file(name),
          "message m { required int64 t (TIMESTAMP(NANOS,false)); }",
          row -> row.append("t", 1580732614123456789L));
    }
    lake.run("CREATE TABLE n(t TIMESTAMP_NS)", "CREATE TABLE u(t TIMESTAMP)");

    lake.register("n", "n.parquet");
    lake.register("u", "u.parquet");

    lake.assertRows("n", "2020-02-03 12:23:34.123456789");
    lake.assertFinds(1, "n", "t", Operator.EQUAL, "2020-02-03 12:23:34.123456789");
    lake.assertRows("u", "2020-02-03 12:23:34.123456");
    lake.assertFinds(1, "u", "t", Operator.EQUAL, "2020-02-03 12:23:34.123456");
  }

  @Test
  @DisplayName("REG-23: infinite timestamps are found on their sides")
  void reg23_infiniteTimestampsAreFound() throws SQLException {
    TestFiles.copy(
        lake.file("f.parquet"),
        "SELECT unnest([TIMESTAMP 'infinity', TIMESTAMP '-infinity', TIMESTAMP '2021-01-01']) AS t,"
            + " DATE '294247-01-10' AS d");
    lake.run("CREATE TABLE t(t TIMESTAMP, d DATE)");

    lake.register("t", "f.parquet");

    lake.assertRows(
        "t", "infinity|294247-01-10", "-infinity|294247-01-10", "2021-01-01 00:00:00|294247-01-10");
    lake.assertFinds(2, "t", "t", Operator.GREATER, "2020-01-01 00:00:00");
    lake.assertFinds(1, "t", "t", Operator.LESS, "2020-01-01 00:00:00");
    lake.assertStoredBounds("t", "t", "-infinity..infinity");
    lake.assertStoredBounds("t", "d", "294247-01-10..294247-01-10");
  }

  @Test
  @DisplayName("REG-24: unsigned values are found")
  void reg24_unsignedValuesAreFound() throws SQLException {
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        """
        message m {
          required int32 u8 (INTEGER(8,false)); required int32 u32 (INTEGER(32,false));
          required int64 u64 (INTEGER(64,false));
        }
        """,
        row -> row.append("u8", 255).append("u32", -1).append("u64", -1L));
    lake.run("CREATE TABLE t(u8 UTINYINT, u32 UINTEGER, u64 UBIGINT)");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "255|4294967295|18446744073709551615");
    lake.assertFinds(1, "t", "u64", Operator.GREATER, "9223372036854775807");
    lake.assertFinds(1, "t", "u8", Operator.EQUAL, "255");
    lake.assertStoredBounds("t", "u8", "255..255");
    lake.assertStoredBounds("t", "u32", "4294967295..4294967295");
    lake.assertStoredBounds("t", "u64", "18446744073709551615..18446744073709551615");
  }

  @Test
  @DisplayName("REG-25: a narrower decimal reads at the column's scale")
  void reg25_aNarrowerDecimalReadsAtTheColumnsScale() throws SQLException {
    TestFiles.copy(lake.file("f.parquet"), "SELECT 999.9::DECIMAL(4,1) AS c");
    lake.run("CREATE TABLE t(c DECIMAL(9,3))");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "999.900");
    lake.assertFinds(1, "t", "c", Operator.EQUAL, "999.900");
    lake.assertStoredBounds("t", "c", "999.900..999.900");
  }

  @Test
  @DisplayName("REG-26: JSON text comes back unchanged")
  void reg26_jsonTextComesBackUnchanged() throws SQLException {
    String json = "{\"a\":\"it's \\\\ é\",\n\"b\":1}";
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        "message m { required int32 id; required binary j (JSON); }",
        row -> row.append("id", 1).append("j", json));
    lake.run("CREATE TABLE t(id INT, j JSON)");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "1|" + json);
  }

  @Test
  @DisplayName("REG-29: both zeros are found")
  void reg29_bothZerosAreFound() throws SQLException {
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        "message m { required double x; }",
        row -> row.append("x", 0.0),
        row -> row.append("x", -0.0));
    lake.run("CREATE TABLE t(x DOUBLE)");

    lake.register("t", "f.parquet");

    lake.assertFinds(2, "t", "x", Operator.EQUAL, "0");
    lake.assertFinds(2, "t", "x", Operator.GREATER_OR_EQUAL, "0.0");
  }

  @Test
  @DisplayName("REG-29: both zeros are found when the footer says that all are +0.0")
  void reg29_bothZerosAreFoundWhenTheFooterKnowsOneOnly() throws SQLException {
    TestFiles.editFooter(
        TestFiles.parquetJava(
            lake.file("f.parquet"),
            "message m { required double x; }",
            row -> row.append("x", 0.0),
            row -> row.append("x", -0.0)),
        footer -> {
          byte[] positiveZero = new byte[Double.BYTES];
          statistics(footer, 0).setMin_value(positiveZero).setMax_value(positiveZero);
          statistics(footer, 0).unsetMin();
          statistics(footer, 0).unsetMax();
        });
    lake.run("CREATE TABLE t(x DOUBLE)");

    lake.register("t", "f.parquet");

    lake.assertFinds(2, "t", "x", Operator.EQUAL, "0");
    lake.assertFinds(2, "t", "x", Operator.GREATER_OR_EQUAL, "0.0");
    lake.assertStoredBounds("t", "x", "-0.0..0.0");
  }

  @Test
  @DisplayName("REG-30: text beyond the length of bounds is found")
  void reg30_longTextIsFound() throws SQLException {
    TestFiles.copy(lake.file("f.parquet"), "SELECT repeat('a', 300) || 'z' AS s");
    TestFiles.copy(lake.file("g.parquet"), "SELECT repeat('x', 255) || 'éz' AS s");
    lake.run("CREATE TABLE t(s VARCHAR)");

    lake.register("t", "f.parquet", "g.parquet");

    lake.assertFinds(1, "t", "s", Operator.EQUAL, "a".repeat(300) + "z");
    lake.assertFinds(1, "t", "s", Operator.EQUAL, "x".repeat(255) + "éz");
    assertThat(lake.ask("SELECT max(s) FROM t")).isEqualTo("x".repeat(255) + "éz");
    assertThat(lake.ask("SELECT min(s) FROM t")).isEqualTo("a".repeat(300) + "z");
    assertThat(
            lake.stored(
                "SELECT min_value <= repeat('a', 300) || 'z' COLLATE \"C\" AND max_value >="
                    + " repeat('a', 300) || 'z' COLLATE \"C\" FROM ducklake_file_column_stats WHERE"
                    + " table_id = %d AND min_value LIKE 'a%%'",
                "t"))
        .as("cut bounds are bounds")
        .containsExactly("t");
  }

  @Test
  @DisplayName("REG-31: text with a zero byte comes back")
  void reg31_textWithAZeroByteComesBack() throws SQLException {
    TestFiles.copy(lake.file("f.parquet"), "SELECT 'x' || chr(0) || 'y' AS s");
    lake.run("CREATE TABLE t(s VARCHAR)");

    lake.register("t", "f.parquet");

    assertThat(lake.ask("SELECT hex(s) FROM t")).isEqualTo("780079");
    lake.assertFinds(0, "t", "s", Operator.EQUAL, "x");
    lake.assertFinds(1, "t", "s", Operator.GREATER, "x");
    assertThat(lake.scanned("t")).containsExactly(List.of("x\0y"));
    lake.assertStoredBounds("t", "s", "NULL..NULL");
  }

  @Test
  @DisplayName("REG-32: bytes that are no text are found by equality")
  void reg32_bytesThatAreNoTextAreFound() throws SQLException {
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        "message m { required binary b; }",
        row -> row.append("b", Binary.fromConstantByteArray(new byte[] {0x61, (byte) 0xFF, 0x62})));
    lake.run("CREATE TABLE t(b BLOB)");

    lake.register("t", "f.parquet");

    assertThat(lake.ask("SELECT count(*) FROM t WHERE b = '\\x61\\xFF\\x62'::BLOB")).isEqualTo("1");
    lake.assertFinds(1, "t", "b", Operator.EQUAL, "\\x61\\xFF\\x62");
    lake.assertFinds(0, "t", "b", Operator.EQUAL, "\\x61\\xFE\\x62");
  }

  @Test
  @DisplayName("REG-32: a text column with such bytes is registered without bounds")
  void reg32_textThatIsNoTextIsRegisteredWithoutBounds() throws SQLException {
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        "message m { required binary s (STRING); }",
        row -> row.append("s", Binary.fromConstantByteArray(new byte[] {0x61, (byte) 0xFF, 0x62})));
    lake.run("CREATE TABLE t(s VARCHAR)");

    lake.register("t", "f.parquet");

    lake.assertStoredBounds("t", "s", "NULL..NULL");
    assertThat(lake.stored("SELECT record_count FROM ducklake_data_file WHERE table_id = %d", "t"))
        .as("DuckDB itself reads no such row, so there is none to compare")
        .containsExactly("1");
  }

  @Test
  @DisplayName("REG-33: NULLs of a column without values are found")
  void reg33_nullsOfAColumnWithoutValuesAreFound() throws SQLException {
    TestFiles.copy(
        lake.file("f.parquet"), "SELECT NULL::INT AS n, i::INT AS k FROM range(1, 4) t(i)");
    lake.run("CREATE TABLE t(n INT, k INT)");

    lake.register("t", "f.parquet");

    lake.assertFindsNulls(3, "t", "n");
    lake.assertFinds(0, "t", "n", Operator.EQUAL, "1");
    lake.assertStoredBounds("t", "n", "NULL..NULL");
    assertThat(
            lake.stored(
                "SELECT null_count FROM ducklake_file_column_stats WHERE table_id = %d ORDER BY"
                    + " column_id",
                "t"))
        .containsExactly("3", "0");
  }

  @Test
  @DisplayName("REG-40: values of both row groups are found")
  void reg40_valuesOfBothRowGroupsAreFound() throws SQLException {
    TestFiles.copy(
        lake.file("f.parquet"),
        "SELECT CASE WHEN i < 2048 THEN DATE '9999-12-31' ELSE DATE '10000-01-01' END AS d,"
            + " CASE WHEN i < 2048 THEN 9 ELSE 10 END::BIGINT AS n FROM range(2049) t(i)",
        ", ROW_GROUP_SIZE 2048");
    lake.run("CREATE TABLE t(d DATE, n BIGINT)");

    lake.register("t", "f.parquet");

    lake.assertFinds(1, "t", "d", Operator.EQUAL, "10000-01-01");
    lake.assertFinds(1, "t", "n", Operator.EQUAL, "10");
    lake.assertFinds(2048, "t", "n", Operator.LESS, "10");
    lake.assertStoredBounds("t", "d", "9999-12-31..10000-01-01");
    lake.assertStoredBounds("t", "n", "9..10");
  }

  @Test
  @DisplayName("REG-27: NaN is greater than everything and found as itself")
  void reg27_nanIsFound() throws SQLException {
    Path file = lake.file("f.parquet");
    TestFiles.parquetJava(
        file,
        "message m { required int32 k; required double x; }",
        row -> row.append("k", 1).append("x", 1.0),
        row -> row.append("k", 2).append("x", Double.NaN),
        row -> row.append("k", 3).append("x", 2.0));
    // as writers leave a column with NaN: DuckDB 1.5.5 trusts a maximum in the footer even then
    TestFiles.editFooter(
        file,
        footer -> {
          Statistics statistics = statistics(footer, 1);
          statistics.unsetMax();
          statistics.unsetMax_value();
          statistics.unsetNan_count();
        });
    lake.run("CREATE TABLE t(k INT, x DOUBLE)");

    lake.register("t", "f.parquet");

    lake.assertFinds(1, "t", "x", Operator.GREATER, "100");
    lake.assertFinds(2, "t", "x", Operator.NOT_EQUAL, "1.0");
    lake.assertFinds(1, "t", "x", Operator.EQUAL, "NaN");
    lake.assertFinds(2, "t", "x", Operator.LESS, "5");
    lake.assertFinds(1, "t", "x", Operator.EQUAL, "2.0");
    lake.assertFinds(1, "t", "k", Operator.EQUAL, "3");
    assertThat(lake.ask("SELECT max(x) FROM t")).isEqualTo("nan");
    assertThat(
            lake.stored(
                "SELECT contains_nan FROM ducklake_file_column_stats WHERE table_id = %d AND"
                    + " column_id = 2",
                "t"))
        .as("true or unknown")
        .doesNotContain("f");
  }

  @Test
  @DisplayName("REG-28: a column with NaN hides no row, its own or another column's")
  void reg28_aColumnWithNanHidesNoRow() throws SQLException {
    TestFiles.parquetJava(
        lake.file("f.parquet"),
        "message m { required int32 k; required double x; }",
        row -> row.append("k", 1).append("x", 5.0),
        row -> row.append("k", 2).append("x", Double.NaN));
    Bound.Range footers = TestFiles.read(lake.file("f.parquet")).leaves().get(1).range();
    lake.run("CREATE TABLE t(k INT, x DOUBLE)");

    lake.register("t", "f.parquet");

    lake.assertFinds(1, "t", "x", Operator.EQUAL, "5.0");
    lake.assertFinds(1, "t", "k", Operator.EQUAL, "1");
    lake.assertFinds(1, "t", "k", Operator.EQUAL, "2");
    lake.assertStoredBounds("t", "k", "1..2");
    lake.assertStoredBounds("t", "x", footers == null ? "NULL..NULL" : "5.0..5.0");
  }

  @Test
  @DisplayName("REG-20: narrower integers come back in the column's type, with its bounds")
  void reg20_narrowerTypesComeBack() throws SQLException {
    TestFiles.copy(lake.file("f.parquet"), "SELECT 7::SMALLINT AS i, 4000000000::UINTEGER AS b");
    lake.run("CREATE TABLE t(i INT, b BIGINT)");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "7|4000000000");
    lake.assertFinds(1, "t", "i", Operator.EQUAL, "7");
    lake.assertFinds(1, "t", "b", Operator.GREATER, "3999999999");
    lake.assertStoredBounds("t", "i", "7..7");
    lake.assertStoredBounds("t", "b", "4000000000..4000000000");
  }

  private static Statistics statistics(FileMetaData footer, int column) {
    return footer.getRow_groups().get(0).getColumns().get(column).getMeta_data().getStatistics();
  }
}
