package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnType;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values in paths, judged by DuckDB reading files under these paths. */
class PathValueTest {

  private static DuckLakeSession duckDb;

  @TempDir Path folder;

  @BeforeAll
  static void open() throws SQLException {
    duckDb = DuckLakeSession.open(List.of());
  }

  @AfterAll
  static void close() throws SQLException {
    duckDb.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "a%2Fb%20c",
        "x%3Dy",
        "日本 語",
        "a+b",
        "50%",
        "50%25",
        "%zz",
        "%2",
        "a%c3%a9",
        "NULL ",
        "a'b",
        "a\"b",
        "A%2fB",
        "2026-07",
        "",
        "NULL",
        "null",
        "Null",
        "__HIVE_DEFAULT_PARTITION__",
        "_HIVE_DEFAULT_PARTITION_",
        "%4EULL",
        "nul%6c",
        "%5F_HIVE_DEFAULT_PARTITION__"
      })
  void readsTheTextOfAPathAsDuckDbDoes(String segment) throws SQLException {
    HivePath.Entry entry = HivePath.parse("p=" + segment + "/f.parquet").entries().get(0);

    assertThat(entry.isNull(ColumnType.Scalar.VARCHAR) ? null : entry.text())
        .isEqualTo(readByDuckDb(segment, "VARCHAR"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"p=x=y/f.parquet", "p=a?b/f.parquet", "=5/f.parquet", "p/f.parquet", "p=1"})
  void passesOverSegmentsThatDuckDbPassesOver(String path) {
    assertThat(HivePath.parse(path).entries()).isEmpty();
  }

  @Test
  void keepsKeysInOrderOfFirstAppearanceAndTheFirstValueOfAKey() {
    HivePath path = HivePath.parse("z=3/a=1/plain/a=2/k%20y=4/f=9.parquet");

    assertThat(path.entries())
        .containsExactly(
            new HivePath.Entry("z", "z", "3", "3"),
            new HivePath.Entry("a", "a", "1", "1"),
            new HivePath.Entry("k%20y", "k y", "4", "4"));
    assertThat(path.find("A")).contains(new HivePath.Entry("a", "a", "1", "1"));
    assertThat(path.find("b")).isEmpty();
  }

  @Test
  void aValueThatIsNoUtf8IsRefused() {
    assertThatThrownBy(() -> HivePath.parse("p=%ff/f.parquet"))
        .isInstanceOf(ParquetRefusedException.class)
        .hasMessage(
            "p=%ff/f.parquet: the value '%ff' of path key 'p' cannot be decoded; its"
                + " percent-encoded bytes are no UTF-8; rename the folder");
  }

  @ParameterizedTest
  @DisplayName("REG-07, REG-08: casts values of paths as DuckDB does")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          INTEGER    | 0x10
          INTEGER    | 0b11
          INTEGER    | 007
          INTEGER    | +7
          INTEGER    | 1e3
          INTEGER    | 1.5
          INTEGER    | 2.5
          INTEGER    | -1.5
          INTEGER    | -2147483648
          BIGINT     | 9223372036854775807
          UTINYINT   | 255
          DATE       | 2024-01-02
          DATE       | 2024-1-2
          DATE       | 2024-01-02 00:00:00
          DATE       | 12024-01-01
          DATE       | infinity
          BOOLEAN    | TRUE
          BOOLEAN    | t
          BOOLEAN    | 0
          BOOLEAN    | yes
          DOUBLE     | 1
          DOUBLE     | 1e3
          DOUBLE     | inf
          DOUBLE     | -Infinity
          DOUBLE     | nan
          FLOAT      | 0.1
          TIME       | 12:34:56.5
          TIMESTAMP  | 2024-01-02
          TIMESTAMP  | 2024-01-02 03:04
          TIMESTAMP  | 2024-01-02T03:04:05Z
          TIMESTAMP  | 2024-01-02 3:4:5
          TIMESTAMP  | 2024-01-02 03:04:05.1234567
          UUID       | A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11
          """)
  void castsValuesOfPathsAsDuckDbDoes(String type, String text) throws SQLException {
    assertThat(PathValue.cast(text, SpellingTypes.of(type)))
        .isEqualTo(readByDuckDb(text.replace("/", "%2F"), type));
  }

  @ParameterizedTest
  @DisplayName("REG-08: what is no value of the type is no value")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DATE       | 20240102
          DATE       | 2024-02-30
          DATE       | tomorrow
          INTEGER    | 12abc
          INTEGER    | 2147483648
          INTEGER    | 0x
          INTEGER    | true
          UTINYINT   | -1
          BOOLEAN    | on
          BOOLEAN    | 2
          DOUBLE     | 0x10
          UUID       | a0eebc99
          TIMESTAMP  | 12:00
          """)
  void whatIsNoValueOfTheTypeIsNoValue(String type, String text) {
    assertThat(PathValue.cast(text, SpellingTypes.of(type))).isNull();
  }

  @Test
  void aZonedValueNeedsItsZone() {
    ColumnType zoned = ColumnType.Scalar.TIMESTAMPTZ;

    assertThat(PathValue.cast("2024-01-01 00:00:00+02", zoned)).isEqualTo("2023-12-31 22:00:00+00");
    assertThat(PathValue.cast("2024-01-01T00:00:00Z", zoned)).isEqualTo("2024-01-01 00:00:00+00");
    assertThat(PathValue.cast("2024-01-01 00:00:00", zoned)).isNull();
    assertThat(PathValue.cast("2024-01-01", zoned)).isNull();
  }

  private @Nullable String readByDuckDb(String segment, String type) throws SQLException {
    TestFiles.copy(folder.resolve("p=" + segment).resolve("f.parquet"), "SELECT 1 AS id");
    return duckDb.valueText(
        "SELECT p FROM read_parquet('"
            + folder.toString().replace("'", "''")
            + "/*/*.parquet', hive_partitioning = true, hive_types = {'p': "
            + type
            + "})");
  }
}
