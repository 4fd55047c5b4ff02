package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.parquet.SchemaInference.HiveTypes;
import dev.sluice.activities.parquet.SchemaInference.Inferred;
import dev.sluice.activities.parquet.SchemaInference.Source;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.PartitionKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A table's columns, inferred from files. */
class SchemaInferenceTest {

  @TempDir Path folder;

  private int made;

  @Test
  void unitesColumnsByNameInOrderOfFirstAppearance() {
    Inferred inferred =
        infer(
            source("", "SELECT 1 AS id, 'x' AS name"),
            source("", "SELECT 2.5::DOUBLE AS extra, 2 AS ID"));

    assertThat(inferred.columns())
        .containsExactly(
            ColumnSpec.of("id", Scalar.INT32),
            ColumnSpec.of("name", Scalar.VARCHAR),
            ColumnSpec.of("extra", Scalar.FLOAT64));
    assertThat(inferred.partitioning()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          1::SMALLINT              | 1::BIGINT                    | int64
          1::UTINYINT              | 1::INT                       | int32
          1::UINTEGER              | 1::INT                       | int64
          1::USMALLINT             | 1::SMALLINT                  | int32
          1::UTINYINT              | 1::UBIGINT                   | uint64
          1.5::FLOAT               | 1.5::DOUBLE                  | float64
          1.5::DECIMAL(4,1)        | 1.5::DECIMAL(5,4)            | decimal(7,4)
          TIMESTAMP '2020-01-01'   | '2020-01-01'::TIMESTAMP_NS   | timestamp_ns
          """)
  void widensWhereATypeHoldsBoth(String one, String other, String united) {
    Source first = source("", "SELECT " + one + " AS c");
    Source second = source("", "SELECT " + other + " AS c");

    assertThat(infer(first, second).columns().get(0).type().text()).isEqualTo(united);
    assertThat(infer(second, first).columns().get(0).type().text()).isEqualTo(united);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          1::INT                 | 'x'                              | int32     | varchar
          1::BIGINT              | 1::UBIGINT                       | int64     | uint64
          1::INT                 | 1.5::DOUBLE                      | int32     | float64
          DATE '2020-01-01'      | TIMESTAMP '2020-01-01'           | date      | timestamp
          TIMESTAMP '2020-01-01' | '2020-01-01 00:00:00+00'::TIMESTAMPTZ | timestamp | timestamptz
          [1]                    | 1::INT                           | list(int32) | int32
          {'a': 1}               | {'a': 'x'}                       | int32     | varchar
          """)
  void refusesTypesThatNoColumnHoldsNamingBothFiles(
      String one, String other, String oneType, String otherType) {
    Source first = source("", "SELECT " + one + " AS c");
    Source second = source("", "SELECT " + other + " AS c");

    assertThatThrownBy(() -> infer(first, second))
        .isInstanceOf(ParquetRefusedException.class)
        .hasMessageStartingWith(second.file().key() + ": column 'c")
        .hasMessageContaining(
            "has type "
                + otherType
                + ", but "
                + oneType
                + " in "
                + first.file().key()
                + "; no type holds both without loss; write both files with one type");
  }

  @Test
  void unitesNestedColumnsLevelByLevel() {
    Inferred inferred =
        infer(
            source("", "SELECT {'a': 1::SMALLINT, 'b': [1]} AS s, MAP {'k': 1} AS m"),
            source("", "SELECT {'c': 'x', 'A': 1::INT} AS s, MAP {'k': 1::BIGINT} AS m"));

    assertThat(inferred.columns())
        .containsExactly(
            ColumnSpec.nested(
                "s",
                Nested.STRUCT,
                List.of(
                    ColumnSpec.of("a", Scalar.INT32),
                    ColumnSpec.nested(
                        "b", Nested.LIST, List.of(ColumnSpec.of("element", Scalar.INT32))),
                    ColumnSpec.of("c", Scalar.VARCHAR))),
            ColumnSpec.nested(
                "m",
                Nested.MAP,
                List.of(
                    ColumnSpec.of("key", Scalar.VARCHAR), ColumnSpec.of("value", Scalar.INT64))));
  }

  @Test
  void aFileWithoutRowsCountsToo() {
    assertThat(infer(source("", "SELECT 1 AS id FROM range(1) LIMIT 0")).columns())
        .containsExactly(ColumnSpec.of("id", Scalar.INT32));
  }

  @Test
  void addsTheKeysOfThePathsAfterTheColumnsOfTheFiles() {
    Inferred inferred =
        infer(
            source("_ph_partition_key=2026-07/b=2/f.parquet", "SELECT 1 AS id"),
            source("_ph_partition_key=2026-08/b=3/f.parquet", "SELECT 1 AS id"));

    assertThat(inferred.columns())
        .containsExactly(
            ColumnSpec.of("id", Scalar.INT32),
            ColumnSpec.of("_ph_partition_key", Scalar.VARCHAR),
            ColumnSpec.of("b", Scalar.INT64));
    assertThat(inferred.partitioning())
        .containsExactly(PartitionKey.identity("_ph_partition_key"), PartitionKey.identity("b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          12                   | -5                    | int64
          12                   | NULL                  | int64
          12                   | x                     | varchar
          12                   | ''                    | varchar
          05                   | 12                    | varchar
          9223372036854775808  | 1                     | varchar
          2024-01-02           | 2024-02-03            | date
          2024-01-02           | 2024-02-30            | varchar
          2024-01-02           | 12                    | varchar
          2024-01-02 03:04:05  | 2024-01-02 03:04:05.5 | timestamp
          true                 | false                 | varchar
          NULL                 | null                  | varchar
          """)
  void detectsTheTypesOfPathValuesWhereAllAgree(String one, String other, String type) {
    Source[] sources = {
      source("k=" + one + "/f.parquet", "SELECT 1 AS id"),
      source("k=" + other + "/f.parquet", "SELECT 1 AS id")
    };

    assertThat(infer(sources).columns().get(1).type().text()).isEqualTo(type);
    assertThat(SchemaInference.infer(List.of(sources), HiveTypes.VARCHAR).columns().get(1).type())
        .isEqualTo(Scalar.VARCHAR);
  }

  @Test
  void aKeyThatTheFilesHaveAsWellKeepsTheirTypeAndPlace() {
    Inferred inferred = infer(source("P=2/f.parquet", "SELECT 2::SMALLINT AS p, 1 AS id"));

    assertThat(inferred.columns())
        .containsExactly(ColumnSpec.of("p", Scalar.INT16), ColumnSpec.of("id", Scalar.INT32));
    assertThat(inferred.partitioning()).containsExactly(PartitionKey.identity("p"));
  }

  @Test
  void filesLaidOutByDifferentKeysAreRefused() {
    Source with = source("k=1/f.parquet", "SELECT 1 AS id");
    Source without = source("f.parquet", "SELECT 1 AS id");

    assertThatThrownBy(() -> infer(with, without))
        .isInstanceOf(ParquetRefusedException.class)
        .hasMessage(
            without.file().key()
                + ": its path has no folder k=; other files have one, e.g. "
                + with.file().key()
                + "; lay out all files of the table alike");
  }

  @Test
  void aColumnThatCannotBeRegisteredIsRefused() {
    Path file = LegacyFiles.mapKeyValue(folder.resolve("map.parquet"));

    assertThatThrownBy(() -> infer(new Source(TestFiles.read(file), HivePath.parse(""))))
        .isInstanceOf(ParquetRefusedException.class)
        .hasMessageStartingWith(file + ": column 'm' is map, which cannot be registered;");
  }

  private static Inferred infer(Source... sources) {
    return SchemaInference.infer(new ArrayList<>(List.of(sources)), HiveTypes.DETECT);
  }

  private Source source(String path, String select) {
    Path file = TestFiles.copy(folder.resolve(made++ + ".parquet"), select);
    return new Source(TestFiles.read(file), HivePath.parse(path));
  }
}
