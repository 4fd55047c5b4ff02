package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.parquet.MatchOptions.ExtraColumns;
import dev.sluice.activities.parquet.MatchOptions.MissingColumns;
import dev.sluice.activities.parquet.ParquetRefusedException.Kind;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionTransform.Simple;
import dev.sluice.catalog.Partitioning;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.NullType;
import org.apache.parquet.io.api.Binary;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files a table takes, and what it learns of them. */
class FileMatcherTest {

  private static final MatchOptions LENIENT =
      new MatchOptions(MissingColumns.READ_AS_DEFAULT, ExtraColumns.IGNORE);

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

  @ParameterizedTest
  @DisplayName("REG-19, REG-20: types that would change a value are refused with both named")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          true                                    | varchar   | boolean
          'x'                                     | int32     | varchar
          1::BIGINT                               | int32     | int64
          1.5::DOUBLE                             | float32   | float64
          1::BIGINT                               | uint64    | int64
          1::UINTEGER                             | int32     | uint32
          DATE '2020-01-01'                       | timestamp | date
          TIMESTAMPTZ '2024-01-01 00:00:00+00'    | timestamp | timestamptz
          TIMESTAMP '2024-01-01 00:00:00'         | timestamptz | timestamp
          1.5::DECIMAL(18,7)                      | decimal(9,3) | decimal(18,7)
          1::DECIMAL(9,0)                         | decimal(9,3) | decimal(9,0)
          'x'                                     | json      | varchar
          'x'                                     | blob      | varchar
          'x'::BLOB                               | varchar   | blob
          1::HUGEINT                              | int128    | float64
          [1]                                     | int32     | list(int32)
          """)
  void reg19_reg20_typesThatWouldChangeAValueAreRefused(String value, String column, String found) {
    Path file = TestFiles.copy(folder.resolve("t.parquet"), "SELECT " + value + " AS c");

    assertRefused(
        () -> register(file, ColumnSpec.of("c", ColumnType.parse(column))),
        Kind.TYPE_MISMATCH,
        "column 'c' has type " + found + " where the table expects " + column + ";");
  }

  @ParameterizedTest
  @DisplayName(
      "REG-20, REG-22, REG-25: narrower types are accepted with bounds of the column's type")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          1::SMALLINT                                | int32        | 1
          1::UINTEGER                                | int64        | 1
          4294967295::UINTEGER                       | uint64       | 4294967295
          1.5::FLOAT                                 | float64      | 1.5
          999.9::DECIMAL(4,1)                        | decimal(9,3) | 999.900
          TIMESTAMP '2024-01-01'                     | timestamp_ns | 2024-01-01 00:00:00
          TIMESTAMP '2024-01-01'                     | timestamp_s  | 2024-01-01 00:00:00
          '2020-02-03 12:23:34.123456789'::TIMESTAMP_NS | timestamp_ns | 2020-02-03 12:23:34.123456789
          '2020-02-03 12:23:34.123456789'::TIMESTAMP_NS | timestamp | 2020-02-03 12:23:34.123456
          """)
  void reg20_reg22_reg25_narrowerTypesAreAccepted(String value, String column, String bound) {
    Path file = TestFiles.copy(folder.resolve("t.parquet"), "SELECT " + value + " AS c");

    NewDataFile accepted = register(file, ColumnSpec.of("c", ColumnType.parse(column)));

    assertThat(bounds(accepted, "c")).containsExactly(bound, bound);
  }

  @Test
  @DisplayName("REG-23: infinite dates and timestamps have infinite bounds")
  void reg23_infinitiesHaveInfiniteBounds() {
    Path file =
        TestFiles.copy(
            folder.resolve("inf.parquet"),
            "SELECT unnest([TIMESTAMP 'infinity', TIMESTAMP '-infinity', TIMESTAMP '2021-01-01']) AS"
                + " t, DATE '294247-01-10' AS d");

    NewDataFile accepted =
        register(file, ColumnSpec.of("t", Scalar.TIMESTAMP), ColumnSpec.of("d", Scalar.DATE));

    assertThat(bounds(accepted, "t")).containsExactly("-infinity", "infinity");
    assertThat(bounds(accepted, "d")).containsExactly("294247-01-10", "294247-01-10");
  }

  @Test
  @DisplayName("REG-15: NULL in a NOT NULL column is refused, and so is not knowing")
  void reg15_nullInANotNullColumnIsRefused() {
    ColumnSpec id = ColumnSpec.of("id", Scalar.INT32);
    ColumnSpec x = new ColumnSpec("x", Scalar.INT32, Nulls.FORBIDDEN, null, List.of());
    Path file =
        TestFiles.copy(
            folder.resolve("n.parquet"), "SELECT * FROM (VALUES (1, 10), (2, NULL)) t(id, x)");

    assertRefused(
        () -> register(file, id, x),
        Kind.NULL_VALUE,
        "column 'x' is NULL in 1 rows; the table's column is NOT NULL");

    TestFiles.editFooter(
        file,
        footer ->
            footer.getRow_groups().get(0).getColumns().get(1).getMeta_data().unsetStatistics());
    assertRefused(
        () -> register(file, id, x),
        Kind.NULL_VALUE,
        "column 'x' may hold NULL; the footer does not count its NULLs");
    assertRefused(
        () -> register(file, MatchOptions.STRICT, nullsProbe(1), id, x),
        Kind.NULL_VALUE,
        "column 'x' is NULL in 1 rows");
    assertThat(register(file, MatchOptions.STRICT, nullsProbe(0), id, x).recordCount())
        .isEqualTo(2);
  }

  @Test
  void aNotNullStructIsJudgedByItsFields() {
    ColumnSpec s =
        new ColumnSpec(
            "s",
            Nested.STRUCT,
            Nulls.FORBIDDEN,
            null,
            List.of(ColumnSpec.of("a", Scalar.INT32), ColumnSpec.of("b", Scalar.INT32)));

    assertThat(
            register(
                    TestFiles.copy(
                        folder.resolve("s1.parquet"), "SELECT {'a': 1, 'b': NULL::INT} AS s"),
                    s)
                .recordCount())
        .isEqualTo(1);
    assertRefused(
        () ->
            register(
                TestFiles.copy(
                    folder.resolve("s2.parquet"), "SELECT unnest([{'a': 1, 'b': 2}, NULL]) AS s"),
                s),
        Kind.NULL_VALUE,
        "column 's' may hold NULL");
  }

  @Test
  void aMissingNotNullColumnWithoutDefaultIsRefused() {
    Path file = TestFiles.copy(folder.resolve("m.parquet"), "SELECT 1 AS id");
    ColumnSpec id = ColumnSpec.of("id", Scalar.INT32);

    assertRefused(
        () ->
            register(
                file,
                LENIENT,
                DataProbe.NONE,
                id,
                new ColumnSpec("x", Scalar.INT32, Nulls.FORBIDDEN, null, List.of())),
        Kind.NULL_VALUE,
        "column 'x' is missing and may not be NULL");
    assertThat(
            register(
                    file,
                    LENIENT,
                    DataProbe.NONE,
                    id,
                    new ColumnSpec("x", Scalar.INT32, Nulls.FORBIDDEN, "7", List.of()))
                .recordCount())
        .isEqualTo(1);
  }

  @Test
  @DisplayName("REG-26: JSON text is registered whatever characters it has")
  void reg26_jsonTextIsRegisteredWhateverCharactersItHas() {
    String json = "{\"a\":\"it's \\\\ \né\"}";
    Path file =
        TestFiles.parquetJava(
            folder.resolve("json.parquet"),
            "message m { required int32 id; required binary j (JSON); }",
            row -> row.append("id", 1).append("j", json));

    NewDataFile accepted =
        register(file, ColumnSpec.of("id", Scalar.INT32), ColumnSpec.of("j", Scalar.JSON));

    assertThat(bounds(accepted, "j")).containsExactly(json, json);
  }

  @Test
  @DisplayName("REG-32: text that is no UTF-8 is registered without bounds, bytes as they are")
  void reg32_textThatIsNoUtf8HasNoBounds() {
    Binary bytes = Binary.fromConstantByteArray(new byte[] {0x61, (byte) 0xFF, 0x62});
    Path file =
        TestFiles.parquetJava(
            folder.resolve("utf.parquet"),
            "message m { required binary s (STRING); required binary b; }",
            row -> row.append("s", bytes).append("b", bytes));

    NewDataFile accepted =
        register(file, ColumnSpec.of("s", Scalar.VARCHAR), ColumnSpec.of("b", Scalar.BLOB));

    assertThat(bounds(accepted, "s")).containsExactly(null, null);
    assertThat(bounds(accepted, "b")).containsExactly(null, null);
  }

  @Test
  @DisplayName("REG-33: counts of a column of NULLs")
  void reg33_countsOfAColumnOfNulls() {
    Path file =
        TestFiles.copy(
            folder.resolve("nulls.parquet"),
            "SELECT NULL::INT AS n, i::INT AS k FROM range(1, 4) t(i)");

    LeafStatistics n =
        register(file, ColumnSpec.of("n", Scalar.INT32), ColumnSpec.of("k", Scalar.INT32))
            .statistics()
            .get(0);

    assertThat(n.nullCount()).isEqualTo(3);
    assertThat(n.valueCount()).isZero();
    assertThat(n.min()).isNull();
    assertThat(n.max()).isNull();
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
  void aColumnOfTypelessNullsFitsEveryColumn() {
    Path file =
        TestFiles.editFooter(
            TestFiles.copy(folder.resolve("void.parquet"), "SELECT 1 AS id, NULL::INT AS v"),
            footer ->
                footer
                    .getSchema()
                    .get(2)
                    .setLogicalType(LogicalType.UNKNOWN(new NullType()))
                    .unsetConverted_type());

    NewDataFile accepted =
        register(file, ColumnSpec.of("id", Scalar.INT32), ColumnSpec.of("v", Scalar.VARCHAR));

    assertThat(accepted.statistics().get(1).nullCount()).isEqualTo(1);
    assertThat(accepted.statistics().get(1).valueCount()).isZero();
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

  @Test
  void aDecimalColumnTakesWhatItHasRoomFor() {
    assertThat(
            TypeRules.accepts(
                new Decimal(9, 3),
                new FileType.Supported(new Decimal(4, 1), FileType.Storage.DECIMAL_32)))
        .isTrue();
    assertThat(
            TypeRules.accepts(
                new Decimal(9, 3),
                new FileType.Supported(new Decimal(7, 0), FileType.Storage.DECIMAL_32)))
        .isFalse();
  }

  private static MatchResult match(
      Path file, MatchOptions options, DataProbe probe, ColumnSpec... columns) {
    return FileMatcher.forColumns(List.of(columns), List.of(), options, probe)
        .match(TestFiles.read(file), file.toString(), HivePath.parse(""));
  }

  private static NewDataFile register(Path file, ColumnSpec... columns) {
    return register(file, MatchOptions.STRICT, DataProbe.NONE, columns);
  }

  private static NewDataFile register(
      Path file, MatchOptions options, DataProbe probe, ColumnSpec... columns) {
    return ((MatchResult.Register) match(file, options, probe, columns)).file();
  }

  private static void assertRefused(ThrowingCallable call, Kind kind, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ParquetRefusedException.class,
            refusal -> {
              assertThat(refusal.kind()).isEqualTo(kind);
              assertThat(refusal.getMessage()).startsWith(refusal.file() + ": ");
            })
        .hasMessageContaining(message);
  }

  private static List<@Nullable String> bounds(NewDataFile file, String column) {
    return file.statistics().stream()
        .filter(statistics -> statistics.column().equals(List.of(column)))
        .findFirst()
        .map(statistics -> Arrays.asList(statistics.min(), statistics.max()))
        .orElseThrow();
  }

  private static MappedField fromFile(String source, String target, MappedField... children) {
    return new MappedField(source, target, Origin.FILE_COLUMN, List.of(children));
  }

  private static ColumnSpec list(String name, ColumnSpec element) {
    return ColumnSpec.nested(name, Nested.LIST, List.of(element));
  }

  private static Column column(long id, String name, ColumnType type, Column... children) {
    return new Column(id, name, type, Nulls.ALLOWED, null, null, null, null, List.of(children));
  }

  private static Table table(Column... columns) {
    return new Table(
        1,
        new UUID(0, 1),
        new TableName("main", "t"),
        "/lake/main/t/",
        List.of(columns),
        Partitioning.none());
  }

  private static DataProbe nullsProbe(long nulls) {
    return new DataProbe() {
      @Override
      public OptionalLong nulls(ParquetFile file, String path, String column) {
        return OptionalLong.of(nulls);
      }

      @Override
      public Optional<List<@Nullable String>> distinct(
          ParquetFile file,
          String path,
          String column,
          ColumnType type,
          Simple transform,
          int limit) {
        return Optional.empty();
      }
    };
  }
}
