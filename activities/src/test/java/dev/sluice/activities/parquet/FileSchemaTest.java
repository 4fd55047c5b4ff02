package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns as DuckDB resolves them. */
class FileSchemaTest {

  @TempDir Path folder;

  @Test
  @DisplayName("REG-01: legacy two-level lists are lists of what the repeated field holds")
  void reg01_legacyListsAreListsOfWhatTheRepeatedFieldHolds() throws SQLException {
    Path file = LegacyFiles.lists(folder.resolve("legacy.parquet"));

    assertThat(types(file))
        .containsExactly("id int32", "l list(int32)", "ls list(struct(x int32, y int32))");
    assertThat(duckDbTypes(file))
        .containsExactly("INTEGER", "INTEGER[]", "STRUCT(x INTEGER, y INTEGER)[]");
  }

  @Test
  @DisplayName("REG-02: a repeated group of one field is that field, as DuckDB reads it")
  void reg02_aRepeatedGroupOfOneFieldIsThatField() throws SQLException {
    Path file = LegacyFiles.listOfOneField(folder.resolve("one.parquet"));

    assertThat(types(file)).containsExactly("ls list(int32)");
    assertThat(duckDbTypes(file)).containsExactly("INTEGER[]");
  }

  @Test
  @DisplayName("REG-37: a group annotated MAP_KEY_VALUE is no column that can be registered")
  void reg37_aMapKeyValueGroupIsNotSupported() {
    ParquetFile read = TestFiles.read(LegacyFiles.mapKeyValue(folder.resolve("map.parquet")));

    assertThat(read.schema().fields())
        .singleElement()
        .satisfies(
            field -> {
              assertThat(field.name()).isEqualTo("m");
              assertThat(field.type()).isInstanceOf(FileType.Unsupported.class);
            });
  }

  @Test
  @DisplayName("REG-38: columns may be called like the parts of nested types")
  void reg38_columnsMayBeCalledLikeTheirParts() {
    Path file =
        TestFiles.copy(
            folder.resolve("names.parquet"),
            "SELECT 1 AS array, 2 AS element, [1,2,3] AS list, 4 AS key, 5 AS value");

    assertThat(types(file))
        .containsExactly(
            "array int32", "element int32", "list list(int32)", "key int32", "value int32");
  }

  @Test
  void everyTypeThatDuckDbWritesIsReadAsDuckDbReadsIt() {
    Path file =
        TestFiles.copy(
            folder.resolve("all.parquet"),
            """
            SELECT true AS b, 1::TINYINT AS i8, 1::SMALLINT AS i16, 1::INT AS i32, 1::BIGINT AS i64,
              1::UTINYINT AS u8, 1::USMALLINT AS u16, 1::UINTEGER AS u32, 1::UBIGINT AS u64,
              1::HUGEINT AS i128, 1::FLOAT AS f32, 1::DOUBLE AS f64, 1.5::DECIMAL(4,1) AS d4,
              1.5::DECIMAL(18,3) AS d18, 1.5::DECIMAL(38,10) AS d38, DATE '2020-01-01' AS d,
              TIME '12:00:00' AS t, TIMESTAMP '2020-01-01' AS ts, '2020-01-01'::TIMESTAMP_S AS ts_s,
              '2020-01-01'::TIMESTAMP_MS AS ts_ms, '2020-01-01'::TIMESTAMP_NS AS ts_ns,
              '2020-01-01 00:00:00+00'::TIMESTAMPTZ AS tz, '12:00:00+01'::TIMETZ AS ttz,
              INTERVAL 1 DAY AS iv, 'x' AS s, '{}'::JSON AS j, 'x'::BLOB AS bl, uuid() AS u,
              'a'::ENUM('a', 'b') AS e, [1] AS l, [[1]] AS ll, {'a': 1, 'b': {'c': [1]}} AS st,
              MAP {'k': {'q': 1}} AS m
            """);

    assertThat(types(file))
        .containsExactly(
            "b boolean",
            "i8 int8",
            "i16 int16",
            "i32 int32",
            "i64 int64",
            "u8 uint8",
            "u16 uint16",
            "u32 uint32",
            "u64 uint64",
            "i128 float64",
            "f32 float32",
            "f64 float64",
            "d4 decimal(4,1)",
            "d18 decimal(18,3)",
            "d38 decimal(38,10)",
            "d date",
            "t time",
            "ts timestamp",
            "ts_s timestamp",
            "ts_ms timestamp",
            "ts_ns timestamp_ns",
            "tz timestamptz",
            "ttz timetz",
            "iv interval",
            "s varchar",
            "j json",
            "bl blob",
            "u uuid",
            "e varchar",
            "l list(int32)",
            "ll list(list(int32))",
            "st struct(a int32, b struct(c list(int32)))",
            "m map(varchar, struct(q int32))");
  }

  @Test
  void theLogicalTypesOfOtherWritersAreReadAsDuckDbReadsThem() throws SQLException {
    Path file =
        TestFiles.parquetJava(
            folder.resolve("java.parquet"),
            """
            message m {
              optional int96 t96; optional int32 tm (TIME(MILLIS,true));
              optional int32 tml (TIME(MILLIS,false)); optional int64 tn (TIME(NANOS,false));
              optional int64 tsm (TIMESTAMP(MILLIS,false)); optional int64 tzn (TIMESTAMP(NANOS,true));
              optional binary d (DECIMAL(20,2)); optional fixed_len_byte_array(5) fd (DECIMAL(9,2));
              optional fixed_len_byte_array(3) fb; optional fixed_len_byte_array(2) f16 (FLOAT16);
              optional binary e (ENUM); optional fixed_len_byte_array(16) u (UUID);
            }
            """);

    assertThat(types(file))
        .containsExactly(
            "t96 timestamp",
            "tm timetz",
            "tml time",
            "tn time",
            "tsm timestamp",
            "tzn timestamptz",
            "d decimal(20,2)",
            "fd decimal(9,2)",
            "fb blob",
            "f16 float32",
            "e varchar",
            "u uuid");
    assertThat(duckDbTypes(file))
        .containsExactly(
            "TIMESTAMP",
            "TIME WITH TIME ZONE",
            "TIME",
            "TIME",
            "TIMESTAMP",
            "TIMESTAMP WITH TIME ZONE",
            "DECIMAL(20,2)",
            "DECIMAL(9,2)",
            "BLOB",
            "FLOAT",
            "VARCHAR",
            "UUID");
  }

  @Test
  @DisplayName("REG-39: a VARIANT column is not supported")
  void reg39_aVariantColumnIsNotSupported() {
    ParquetFile read =
        TestFiles.read(
            TestFiles.copy(
                folder.resolve("v.parquet"),
                "SELECT {'Foo': 1}::VARIANT AS v UNION ALL SELECT {'foo': 2}::VARIANT"));

    assertThat(read.schema().fields())
        .singleElement()
        .extracting(FileField::type)
        .isEqualTo(
            new FileType.Unsupported(
                "variant", "variant columns are not supported by this version"));
  }

  @Test
  void aLogicalTypeFromTheFutureIsNotSupported() {
    // a union whose set field this version does not know arrives as a union with none set
    SchemaElement element = new SchemaElement("x");
    element.setType(Type.BYTE_ARRAY);
    element.setLogicalType(new LogicalType());

    assertThat(LeafTypes.of(element))
        .isEqualTo(
            new FileType.Unsupported(
                "BYTE_ARRAY of an unknown logical type",
                "the logical type is newer than this version knows"));
  }

  @Test
  void fieldIdsAreKeptAtEveryLevel() {
    Path file =
        TestFiles.copy(
            folder.resolve("ids.parquet"),
            "SELECT 1 AS a, {'x': 1} AS s, [1] AS l",
            ", FIELD_IDS {a: 7, s: {__duckdb_field_id: 8, x: 9}, l: {__duckdb_field_id: 10, element:"
                + " 11}}");

    List<FileField> fields = TestFiles.read(file).schema().fields();

    assertThat(fields).extracting(FileField::fieldId).containsExactly(7, 8, 10);
    assertThat(fields.get(1).children()).extracting(FileField::fieldId).containsExactly(9);
    assertThat(fields.get(2).children()).extracting(FileField::fieldId).containsExactly(11);
  }

  private static List<String> types(Path file) {
    return TestFiles.read(file).schema().fields().stream()
        .map(field -> field.name() + " " + field.typeText())
        .toList();
  }

  private static List<String> duckDbTypes(Path file) throws SQLException {
    try (DuckLakeSession duckDb = DuckLakeSession.open(List.of())) {
      return duckDb.query("DESCRIBE SELECT * FROM '" + file + "'").stream()
          .map(row -> String.valueOf(row.get(1)))
          .toList();
    }
  }
}
