package dev.sluice.activities.parquet;

import static dev.sluice.activities.parquet.Matching.LENIENT;
import static dev.sluice.activities.parquet.Matching.assertRefused;
import static dev.sluice.activities.parquet.Matching.bounds;
import static dev.sluice.activities.parquet.Matching.column;
import static dev.sluice.activities.parquet.Matching.fromFile;
import static dev.sluice.activities.parquet.Matching.list;
import static dev.sluice.activities.parquet.Matching.match;
import static dev.sluice.activities.parquet.Matching.register;
import static dev.sluice.activities.parquet.Matching.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.parquet.ParquetRefusedException.Kind;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Table;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files a table takes by their columns, and what it learns of them. */
class FileMatcherTest {

  @TempDir Path folder;

  @Test
  @DisplayName("REG-02: a list of groups of one field is never a list of structs")
  void reg02_aListOfGroupsOfOneFieldIsNeverAListOfStructs() {
    Path file = LegacyFiles.listOfOneField(folder.resolve("one.parquet"));

    assertThat(register(file, list("ls", ColumnSpec.of("element", Scalar.INT32))))
        .satisfies(accepted -> assertThat(accepted.recordCount()).isEqualTo(1));
    assertRefused(
        () ->
            register(
                file,
                list(
                    "ls",
                    ColumnSpec.nested(
                        "element", Nested.STRUCT, List.of(ColumnSpec.of("x", Scalar.INT32))))),
        Kind.TYPE_MISMATCH,
        "column 'ls.element' has type int32 where the table expects struct(x int32)");
  }

  @Test
  @DisplayName("REG-03: a field id of a dropped column is refused by number")
  void reg03_aFieldIdOfADroppedColumnIsRefused() {
    Path file =
        TestFiles.copy(
            folder.resolve("old.parquet"),
            "SELECT {'i': 1, 'j': 10} AS s",
            ", FIELD_IDS {s: {__duckdb_field_id: 1, i: 2, j: 3}}");
    Table table =
        table(
            column(
                1, "s", Nested.STRUCT, column(2, "i", Scalar.INT32), column(4, "j", Scalar.INT32)));

    assertRefused(
        () ->
            FileMatcher.forTable(table, MatchOptions.STRICT, DataProbe.NONE)
                .match(TestFiles.read(file), file.toString(), HivePath.parse("")),
        Kind.STALE_FIELD_ID,
        "column 's.j' carries field id 3 of a dropped column; the table's column of that name is"
            + " another one, with id 4");
  }

  @Test
  @DisplayName("REG-04: columns are matched by name, whatever ids the file carries")
  void reg04_columnsAreMatchedByNameWhateverIdsTheFileCarries() {
    Path file =
        TestFiles.copy(
            folder.resolve("t1.parquet"), "SELECT 1 AS a, 'x' AS b", ", FIELD_IDS {a: 1, b: 2}");
    Table table = table(column(1, "b", Scalar.VARCHAR), column(2, "a", Scalar.INT32));

    MatchResult result =
        FileMatcher.forTable(table, MatchOptions.STRICT, DataProbe.NONE)
            .match(TestFiles.read(file), file.toString(), HivePath.parse(""));

    assertThat(result)
        .isInstanceOfSatisfying(
            MatchResult.Register.class,
            register -> {
              assertThat(register.file().mapping())
                  .isEqualTo(
                      new FileMapping.ByName(List.of(fromFile("b", "b"), fromFile("a", "a"))));
              assertThat(bounds(register.file(), "a")).containsExactly("1", "1");
              assertThat(bounds(register.file(), "b")).containsExactly("x", "x");
            });
  }

  @Test
  @DisplayName("REG-16: a missing column is refused unless missing columns are allowed")
  void reg16_aMissingColumnIsRefusedUnlessAllowed() {
    Path file = TestFiles.copy(folder.resolve("j.parquet"), "SELECT 42 AS j");
    ColumnSpec[] table = {ColumnSpec.of("i", Scalar.INT32), ColumnSpec.of("j", Scalar.INT32)};

    assertRefused(
        () -> register(file, table),
        Kind.MISSING_COLUMN,
        "column 'i' of the table is missing; neither the file nor its path has it; add the column"
            + " to the file or allow missing columns");
    NewDataFile accepted = register(file, LENIENT, DataProbe.NONE, table);
    assertThat(accepted.mapping()).isEqualTo(new FileMapping.ByName(List.of(fromFile("j", "j"))));
    assertThat(accepted.statistics())
        .extracting(LeafStatistics::column)
        .containsExactly(List.of("j"));
  }

  @Test
  @DisplayName("REG-17: an extra column is refused unless extra columns are ignored")
  void reg17_anExtraColumnIsRefusedUnlessIgnored() {
    Path file = TestFiles.copy(folder.resolve("x.parquet"), "SELECT 42 AS j, 84 AS i, 100 AS x");
    ColumnSpec[] table = {ColumnSpec.of("i", Scalar.INT32), ColumnSpec.of("j", Scalar.INT32)};

    assertRefused(
        () -> register(file, table),
        Kind.EXTRA_COLUMN,
        "column 'x' is not in the table; its values would be invisible; add the column to the"
            + " table or allow extra columns");
    NewDataFile accepted = register(file, LENIENT, DataProbe.NONE, table);
    assertThat(bounds(accepted, "i")).containsExactly("84", "84");
    assertThat(bounds(accepted, "j")).containsExactly("42", "42");
    assertThat(accepted.statistics()).hasSize(2);
  }

  @Test
  void columnsOfDuckLakeItselfAreNeverIgnored() {
    Path file =
        TestFiles.copy(
            folder.resolve("flushed.parquet"), "SELECT 1 AS id, 7 AS _ducklake_internal_row_id");

    assertRefused(
        () -> register(file, LENIENT, DataProbe.NONE, ColumnSpec.of("id", Scalar.INT32)),
        Kind.EXTRA_COLUMN,
        "column '_ducklake_internal_row_id' belongs to DuckLake itself");
  }

  @Test
  @DisplayName("REG-18: the order of columns does not matter, nor does their case")
  void reg18_theOrderOfColumnsDoesNotMatter() {
    Path file = TestFiles.copy(folder.resolve("o.parquet"), "SELECT 2 AS B, 1 AS a");

    NewDataFile accepted =
        register(file, ColumnSpec.of("a", Scalar.INT32), ColumnSpec.of("b", Scalar.INT32));

    assertThat(accepted.mapping())
        .isEqualTo(new FileMapping.ByName(List.of(fromFile("a", "a"), fromFile("B", "b"))));
    assertThat(bounds(accepted, "a")).containsExactly("1", "1");
    assertThat(bounds(accepted, "b")).containsExactly("2", "2");
  }

  @Test
  void columnsThatDifferOnlyInCaseAreRefused() {
    Path file =
        TestFiles.parquetJava(
            folder.resolve("case.parquet"),
            "message m { required int32 a; required int32 A; }",
            row -> row.append("a", 1).append("A", 2));

    assertRefused(
        () -> register(file, LENIENT, DataProbe.NONE, ColumnSpec.of("a", Scalar.INT32)),
        Kind.AMBIGUOUS_COLUMN,
        "columns 'a' and 'A' have the same name");
  }

  @Test
  void aFileThatSharesNoColumnIsRefusedEvenWhereMissingOnesAreAllowed() {
    Path file = TestFiles.copy(folder.resolve("f.parquet"), "SELECT 1 AS other");

    assertRefused(
        () -> register(file, LENIENT, DataProbe.NONE, ColumnSpec.of("a", Scalar.INT32)),
        Kind.MISSING_COLUMN,
        "it has no column of the table");
  }

  @Test
  @DisplayName("REG-34: a valid file without rows is nothing to register")
  void reg34_aValidFileWithoutRowsIsNothingToRegister() {
    Path file =
        TestFiles.copy(folder.resolve("empty.parquet"), "SELECT 1 AS id FROM range(1) LIMIT 0");

    assertThat(match(file, MatchOptions.STRICT, DataProbe.NONE, ColumnSpec.of("id", Scalar.INT32)))
        .isEqualTo(new MatchResult.WithoutRows(file.toString()));
    assertRefused(
        () -> match(file, MatchOptions.STRICT, DataProbe.NONE, ColumnSpec.of("id", Scalar.VARCHAR)),
        Kind.TYPE_MISMATCH,
        "column 'id' has type int32 where the table expects varchar");
  }

  @Test
  @DisplayName("REG-37: a map that DuckDB cannot read is refused by column")
  void reg37_aMapThatDuckDbCannotReadIsRefusedByColumn() {
    Path file = LegacyFiles.mapKeyValue(folder.resolve("map.parquet"));

    assertRefused(
        () ->
            register(
                file,
                ColumnSpec.nested(
                    "m",
                    Nested.MAP,
                    List.of(
                        ColumnSpec.of("key", Scalar.VARCHAR),
                        ColumnSpec.of("value", Scalar.INT32)))),
        Kind.UNSUPPORTED_COLUMN,
        "column 'm' is map, which cannot be registered; DuckDB reads a map only as");
  }

  @Test
  void nestedColumnsAreMappedLevelByLevelWithStatisticsPerLeaf() {
    Path file =
        TestFiles.copy(
            folder.resolve("nested.parquet"),
            "SELECT {'B': 2, 'a': 1} AS s, [[5]] AS l, MAP {'k': {'q': 3}} AS m");

    NewDataFile accepted =
        register(
            file,
            ColumnSpec.nested(
                "s",
                Nested.STRUCT,
                List.of(ColumnSpec.of("a", Scalar.INT32), ColumnSpec.of("b", Scalar.INT64))),
            list("l", list("element", ColumnSpec.of("element", Scalar.INT32))),
            ColumnSpec.nested(
                "m",
                Nested.MAP,
                List.of(
                    ColumnSpec.of("key", Scalar.VARCHAR),
                    ColumnSpec.nested(
                        "value", Nested.STRUCT, List.of(ColumnSpec.of("q", Scalar.INT32))))));

    assertThat(accepted.mapping())
        .isEqualTo(
            new FileMapping.ByName(
                List.of(
                    fromFile("s", "s", fromFile("a", "a"), fromFile("B", "b")),
                    fromFile("l", "l", fromFile("list", "element", fromFile("list", "element"))),
                    fromFile(
                        "m",
                        "m",
                        fromFile("key", "key"),
                        fromFile("value", "value", fromFile("q", "q"))))));
    assertThat(accepted.statistics())
        .extracting(statistics -> String.join(".", statistics.column()) + "=" + statistics.min())
        .containsExactly("s.a=1", "s.b=2", "l.element.element=5", "m.key=k", "m.value.q=3");
  }

  @Test
  void sizesAndFooterAreThoseOfTheObject() {
    Path file = TestFiles.copy(folder.resolve("size.parquet"), "SELECT 1 AS id");
    ParquetFile read = TestFiles.read(file);

    NewDataFile accepted = register(file, ColumnSpec.of("id", Scalar.INT32));

    assertThat(accepted.fileSizeBytes()).isEqualTo(read.sizeBytes());
    assertThat(accepted.footerSize()).isEqualTo(read.footerBytes());
    assertThat(accepted.partitionValues()).isEmpty();
  }
}
