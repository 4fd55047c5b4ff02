package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.embedded.DuckLakeSession;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text of bounds, judged by DuckDB. */
class SpellingTest {

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
  @DisplayName("writer-bugs 7: bounds are spelled as DuckDB spells the values")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          BOOLEAN          | true
          TINYINT          | -128
          SMALLINT         | 32767
          INTEGER          | -2147483648
          BIGINT           | 9223372036854775807
          BIGINT           | -9223372036854775808
          UTINYINT         | 255
          UINTEGER         | 4294967295
          UBIGINT          | 18446744073709551615
          FLOAT            | 1.5
          FLOAT            | 16777216
          FLOAT            | 1e16
          FLOAT            | 1.17549435e-38
          FLOAT            | -inf
          DOUBLE           | 2
          DOUBLE           | 1e20
          DOUBLE           | 0.0001
          DOUBLE           | 0.00001
          DOUBLE           | 1e15
          DOUBLE           | 1e16
          DOUBLE           | 2.5e-320
          DOUBLE           | 1.7976931348623157e308
          DOUBLE           | inf
          DECIMAL(4,1)     | 1.5
          DECIMAL(18,2)    | -0.05
          DECIMAL(38,10)   | 12345678901234567890.0123456789
          DATE             | 2024-02-29
          DATE             | 0045-03-15 (BC)
          DATE             | 12024-01-01
          DATE             | 294247-01-10
          DATE             | infinity
          DATE             | -infinity
          TIME             | 12:34:56.789
          TIME             | 00:00:00
          TIME             | 24:00:00
          TIMESTAMP        | 2024-01-02 03:04:05
          TIMESTAMP        | 2024-01-02 03:04:05.000001
          TIMESTAMP        | 1969-12-31 23:59:59.5
          TIMESTAMP        | 0045-03-15 (BC) 01:02:03.5
          TIMESTAMP        | infinity
          TIMESTAMP        | -infinity
          TIMESTAMP_S      | 1969-12-31 23:59:58
          TIMESTAMP_MS     | 2024-01-02 03:04:05.123
          TIMESTAMP_NS     | 2020-02-03 12:23:34.123456789
          TIMESTAMP_NS     | 1677-09-22 00:00:00
          VARCHAR          | it's \\ "é"
          UUID             | a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11
          UUID             | ffffffff-ffff-ffff-ffff-ffffffffffff
          """)
  void spellsAValueOfEachTypeAsDuckDbDoes(String type, String text) throws SQLException {
    String literal = "CAST('" + text.replace("'", "''") + "' AS " + type + ")";
    ParquetFile file =
        TestFiles.read(TestFiles.copy(folder.resolve("v.parquet"), "SELECT " + literal + " AS v"));
    FileType.Supported fileType = (FileType.Supported) file.schema().fields().get(0).type();
    Bound.Range range = file.leaves().get(0).range();
    assertThat(range).isNotNull();

    String spelled = Spelling.value(range.min(), fileType.type(), SpellingTypes.of(type));

    assertThat(spelled).isEqualTo(duckDb.valueText("SELECT " + literal));
  }

  @Test
  void zonedBoundsAreSpelledInUtcWhateverTheSession() {
    Bound.Range range =
        TestFiles.read(
                TestFiles.parquetJava(
                    folder.resolve("tz.parquet"),
                    "message m { required int64 t (TIMESTAMP(MICROS,true)); }",
                    row -> row.append("t", 1704067200000000L)))
            .leaves()
            .get(0)
            .range();

    assertThat(range).isNotNull();
    assertThat(Spelling.range(range, Scalar.TIMESTAMPTZ, Scalar.TIMESTAMPTZ))
        .isEqualTo(new Spelling.Spelled("2024-01-01 00:00:00+00", "2024-01-01 00:00:00+00"));
  }

  @Test
  void everyFloatKeepsItsValueThroughItsText() throws SQLException {
    Random random = new Random(11);
    for (int i = 0; i < 300; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      float narrow = Float.intBitsToFloat(random.nextInt());
      if (Double.isFinite(value) && Float.isFinite(narrow)) {
        assertThat(Spelling.float64(value))
            .isEqualTo(duckDb.valueText("SELECT '" + value + "'::DOUBLE"));
        assertThat(
                duckDb.valueText(
                    "SELECT '" + Spelling.float32(narrow) + "'::FLOAT = '" + narrow + "'::FLOAT"))
            .isEqualTo("true");
      }
    }
  }

  @ParameterizedTest
  @DisplayName("REG-22: nanoseconds are cut as DuckDB cuts them")
  @CsvSource({"1580732614123456789", "-1", "-315619199876543211", "999", "-1999"})
  void reg22_nanosecondsAreCutAsDuckDbCutsThem(long nanos) throws SQLException {
    assertThat(Spelling.value(new Bound.Whole(nanos), Scalar.TIMESTAMP_NS, Scalar.TIMESTAMP))
        .isEqualTo(duckDb.valueText("SELECT make_timestamp_ns(" + nanos + ")::TIMESTAMP"));
  }

  @Test
  void narrowingToCoarserUnitsGivesNoBoundUnlessExact() {
    assertThat(spelled(1_000_500, Scalar.TIMESTAMP_S)).isNull();
    assertThat(spelled(1_000_000, Scalar.TIMESTAMP_S)).isEqualTo("1970-01-01 00:00:01");
    assertThat(spelled(1_500, Scalar.TIMESTAMP_MS)).isNull();
    assertThat(spelled(Long.MAX_VALUE - 1, Scalar.TIMESTAMP_NS)).isNull();
    assertThat(spelled(Long.MIN_VALUE, Scalar.TIMESTAMP)).isNull();
  }

  @Test
  @DisplayName("REG-30: longer text than 256 bytes is cut where that keeps it a bound")
  void reg30_longTextIsCutWhereThatKeepsItABound() {
    String ascii = "a".repeat(300);

    assertThat(text(ascii, ascii + "z"))
        .isEqualTo(new Spelling.Spelled("a".repeat(256), "a".repeat(255) + "b"));
    assertThat(text("a", "é".repeat(128))).isNotNull();
    assertThat(text("a", "é".repeat(129))).isNull();
    assertThat(text("a", "\u007f".repeat(257))).isNull();
  }

  @Test
  @DisplayName("REG-25: decimals are spelled at the column's scale")
  void reg25_decimalsAreSpelledAtTheColumnsScale() {
    assertThat(
            Spelling.value(
                new Bound.Numeric(new BigDecimal("999.9")), new Decimal(4, 1), new Decimal(9, 3)))
        .isEqualTo("999.900");
  }

  private static @Nullable String spelled(long micros, ColumnType column) {
    return Spelling.value(new Bound.Whole(micros), Scalar.TIMESTAMP, column);
  }

  private static Spelling.@Nullable Spelled text(String min, String max) {
    return Spelling.range(
        new Bound.Range(new Bound.Text(min), new Bound.Text(max)), Scalar.VARCHAR, Scalar.VARCHAR);
  }
}
