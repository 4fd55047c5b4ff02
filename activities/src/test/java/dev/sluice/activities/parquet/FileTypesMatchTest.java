package dev.sluice.activities.parquet;

import static dev.sluice.activities.parquet.Matching.LENIENT;
import static dev.sluice.activities.parquet.Matching.assertRefused;
import static dev.sluice.activities.parquet.Matching.bounds;
import static dev.sluice.activities.parquet.Matching.nullsProbe;
import static dev.sluice.activities.parquet.Matching.register;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.parquet.ParquetRefusedException.Kind;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.Nulls;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.NullType;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which types and NULLs of a file a table's columns take, and the bounds that come of them. */
class FileTypesMatchTest {

  @TempDir Path folder;

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
}
