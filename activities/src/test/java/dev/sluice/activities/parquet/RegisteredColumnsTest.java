package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.catalog.read.Predicate.Operator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.NullType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns of registered files by name and shape, as DuckDB and our own scan read them. */
class RegisteredColumnsTest {

  private static final MatchOptions LENIENT =
      new MatchOptions(MissingColumns.READ_AS_DEFAULT, ExtraColumns.IGNORE);

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
  @DisplayName("REG-01: legacy lists come back as they were written")
  void reg01_legacyListsComeBack() throws SQLException {
    LegacyFiles.lists(lake.file("f.parquet"));
    lake.run("CREATE TABLE t(id INT, l INT[], ls STRUCT(x INT, y INT)[])");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "0|[1, 2]|[{'x': 7, 'y': 8}]", "1|NULL|NULL");
  }

  @Test
  @DisplayName("REG-02: a list of groups of one field comes back as a list of the field")
  void reg02_aListOfGroupsOfOneFieldComesBack() throws SQLException {
    LegacyFiles.listOfOneField(lake.file("f.parquet"));
    lake.run("CREATE TABLE t(ls INT[])");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "[7]");
  }

  @Test
  @DisplayName("REG-03: a copy of a data file of before a column was dropped is refused")
  void reg03_aCopyOfAnOldDataFileIsRefused() throws SQLException, IOException {
    lake.run("CREATE TABLE t(s STRUCT(i INT, j INT))", "INSERT INTO t VALUES ({'i': 1, 'j': 10})");
    Path original =
        Path.of(String.valueOf(lake.ask("SELECT data_file FROM ducklake_list_files('lake', 't')")));
    Path copy = lake.file("copy.parquet");
    Files.createDirectories(lake.file(""));
    Files.copy(original, copy);
    lake.run("ALTER TABLE t DROP COLUMN s.j", "ALTER TABLE t ADD COLUMN s.j INT");
    long before = lake.latestSnapshot();

    assertThatThrownBy(() -> lake.register("t", "copy.parquet"))
        .isInstanceOf(ParquetRefusedException.class)
        .hasMessageStartingWith(copy + ": column 's.j' carries field id 3 of a dropped column;");

    assertThat(lake.latestSnapshot()).isEqualTo(before);
    lake.assertRows("t", "{'i': 1, 'j': NULL}");
  }

  @Test
  @DisplayName("REG-04, REG-18: columns come back by name")
  void reg04_columnsComeBackByName() throws SQLException {
    TestFiles.copy(lake.file("f.parquet"), "SELECT 1 AS a, 'x' AS b", ", FIELD_IDS {a: 1, b: 2}");
    lake.run("CREATE TABLE t(b VARCHAR, a INT)");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "x|1");
  }

  @Test
  @DisplayName("REG-16, REG-17: missing columns read as NULL and extra ones are not seen")
  void reg16_reg17_missingAndExtraColumns() throws SQLException {
    TestFiles.copy(lake.file("missing.parquet"), "SELECT 42 AS j");
    TestFiles.copy(lake.file("extra.parquet"), "SELECT 42 AS j, 84 AS i, 100 AS x");
    lake.run("CREATE TABLE t(i INT, j INT)");

    lake.register("t", LENIENT, "missing.parquet", "extra.parquet");

    lake.assertRows("t", "NULL|42", "84|42");
    lake.assertFindsNulls(1, "t", "i");
    lake.assertFinds(0, "t", "i", Operator.EQUAL, "1");
    lake.assertFinds(1, "t", "i", Operator.EQUAL, "84");
    assertThat(
            lake.stored(
                "SELECT DISTINCT column_name FROM ducklake_file_column_stats JOIN ducklake_column"
                    + " USING (table_id, column_id) WHERE table_id = %d ORDER BY 1",
                "t"))
        .containsExactly("i", "j");
  }

  @Test
  @DisplayName("REG-34: a file without rows changes nothing")
  void reg34_aFileWithoutRowsChangesNothing() throws SQLException {
    TestFiles.copy(lake.file("empty.parquet"), "SELECT 1 AS id FROM range(1) LIMIT 0");
    TestFiles.copy(lake.file("full.parquet"), "SELECT 2 AS id");
    lake.run("CREATE TABLE t(id INT)", "INSERT INTO t VALUES (1)");

    String counters =
        "SELECT record_count || ' ' || next_row_id || ' ' || (SELECT count(*) FROM"
            + " ducklake_data_file WHERE table_id = %1$d) FROM ducklake_table_stats WHERE table_id"
            + " = %1$d";
    List<String> before = lake.stored(counters, "t");

    lake.register("t", "empty.parquet");

    lake.assertRows("t", "1");
    assertThat(lake.stored(counters, "t")).isEqualTo(before);

    lake.register("t", "empty.parquet", "full.parquet");

    lake.assertRows("t", "1", "2");
    assertThat(lake.stored(counters, "t")).containsExactly("2 2 2");
    lake.run("CALL ducklake_merge_adjacent_files('lake')", "INSERT INTO t VALUES (3)");
    lake.assertRows("t", "1", "2", "3");
  }

  @Test
  @DisplayName("REG-38: columns called like parts of nested types come back")
  void reg38_columnsCalledLikePartsComeBack() throws SQLException {
    TestFiles.copy(
        lake.file("f.parquet"),
        "SELECT 1 AS array, 2 AS element, [1,2,3] AS list, 4 AS key, 5 AS value");
    lake.run("CREATE TABLE t(\"array\" INT, element INT, list INT[], key INT, value INT)");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "1|2|[1, 2, 3]|4|5");
    assertThat(lake.ask("SELECT \"array\" + element + key + value FROM t")).isEqualTo("12");
  }

  @Test
  @DisplayName("REG-41: a file without a column added later reads alike everywhere")
  void reg41_aFileWithoutAnAddedColumnReadsAlike() throws SQLException {
    TestFiles.copy(lake.file("f.parquet"), "SELECT -7 AS a");
    lake.run(
        "CREATE TABLE t(a INT)",
        "INSERT INTO t SELECT i FROM range(2000) r(i)",
        "ALTER TABLE t ADD COLUMN b INT DEFAULT 42");
    lake.assertFinds(2000, "t", "b", Operator.EQUAL, "42");
    lake.assertFindsNulls(0, "t", "b");

    lake.register("t", LENIENT, "f.parquet");

    lake.assertFinds(2001, "t", "b", Operator.EQUAL, "42");
    lake.assertFindsNulls(0, "t", "b");
    lake.assertFinds(1, "t", "a", Operator.EQUAL, "-7");
    assertThat(lake.ask("SELECT b FROM t WHERE a = -7")).isEqualTo("42");
    assertThat(lake.scanned("t")).contains(List.of("-7", "42"));
  }

  @Test
  void nestedColumnsComeBackWithFieldsInAnyOrder() throws SQLException {
    TestFiles.copy(
        lake.file("f.parquet"),
        "SELECT {'b': 2, 'a': 1} AS s, [[5]] AS l, MAP {'k': {'q': 3}} AS m,"
            + " [{'y': 1, 'x': [2]}] AS ls");
    lake.run(
        "CREATE TABLE t(s STRUCT(a INT, b BIGINT), l INT[][], m MAP(VARCHAR, STRUCT(q INT)),"
            + " ls STRUCT(x INT[], y INT)[])");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "{'a': 1, 'b': 2}|[[5]]|{k={'q': 3}}|[{'x': [2], 'y': 1}]");
  }

  @Test
  void aColumnOfTypelessNullsReadsAsNullOfEveryType() throws SQLException {
    TestFiles.editFooter(
        TestFiles.copy(
            lake.file("f.parquet"),
            "SELECT 1 AS id, NULL::INT AS s, NULL::INT AS d, NULL::INT AS b, NULL::INT AS l"),
        footer -> {
          for (int i = 2; i < footer.getSchema().size(); i++) {
            footer
                .getSchema()
                .get(i)
                .setLogicalType(LogicalType.UNKNOWN(new NullType()))
                .unsetConverted_type();
          }
        });
    lake.run("CREATE TABLE t(id INT, s VARCHAR, d DATE, b BLOB, l INT[])");

    lake.register("t", "f.parquet");

    lake.assertRows("t", "1|NULL|NULL|NULL|NULL");
  }
}
