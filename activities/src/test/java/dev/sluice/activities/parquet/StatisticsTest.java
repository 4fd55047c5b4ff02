package dev.sluice.activities.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statistics of a file's leaf columns over its row groups. */
class StatisticsTest {

  @TempDir Path folder;

  private int made;

  @Test
  @DisplayName("REG-21: INT96 has no bounds, and its rows are counted")
  void reg21_int96HasNoBounds() {
    LeafFacts facts =
        java(
            "message m { required int96 t; }",
            row -> row.append("t", new NanoTime(2459581, 45000123456789L)),
            row -> row.append("t", new NanoTime(2440588, 0)),
            row -> row.append("t", new NanoTime(1721426, 0)));

    assertThat(facts.range()).isNull();
    assertThat(facts.values()).isEqualTo(3);
  }

  @Test
  @DisplayName("REG-24: unsigned bounds are decoded unsigned")
  void reg24_unsignedBoundsAreDecodedUnsigned() {
    Path file =
        TestFiles.parquetJava(
            folder.resolve("u.parquet"),
            """
            message m {
              required int32 u8 (INTEGER(8,false)); required int32 u32 (INTEGER(32,false));
              required int64 u64 (INTEGER(64,false));
            }
            """,
            row -> row.append("u8", 255).append("u32", -1).append("u64", -1L),
            row -> row.append("u8", 1).append("u32", 1).append("u64", 1L));
    ParquetFile read = TestFiles.read(file);

    assertThat(read.leaves().get(0).range()).isEqualTo(whole(1, 255));
    assertThat(read.leaves().get(1).range()).isEqualTo(whole(1, 4294967295L));
    assertThat(read.leaves().get(2).range())
        .isEqualTo(
            new Bound.Range(
                new Bound.Numeric(BigDecimal.ONE),
                new Bound.Numeric(new BigDecimal("18446744073709551615"))));
  }

  @Test
  @DisplayName("REG-27: a column with NaN has no bounds that NaN spoilt, and never 'no NaN'")
  void reg27_nanNeverEntersABound() {
    LeafFacts facts =
        java(
            "message m { required double x; }",
            row -> row.append("x", 1.0),
            row -> row.append("x", Double.NaN),
            row -> row.append("x", 2.0));

    assertThat(facts.range())
        .satisfiesAnyOf(
            range -> assertThat(range).isNull(),
            range -> assertThat(range).isEqualTo(real(1.0, 2.0)));
    assertThat(facts.containsNan()).isNotEqualTo(false);
  }

  @Test
  @DisplayName("REG-28: NaN in a bound makes both bounds unknown")
  void reg28_nanInABoundMakesBothUnknown() {
    LeafFacts facts =
        edited(
            "message m { required double x; }",
            statistics -> {
              statistics.setMin_value(doubleBytes(5.0));
              statistics.setMax_value(doubleBytes(Double.NaN));
              statistics.unsetNan_count();
            },
            row -> row.append("x", 5.0));

    assertThat(facts.range()).isNull();
    assertThat(facts.containsNan()).isNull();
  }

  @Test
  void nanIsKnownOnlyWhereTheWriterCountsIt() {
    assertThat(
            edited(
                    "message m { required double x; }",
                    statistics -> statistics.setNan_count(0),
                    row -> row.append("x", 5.0))
                .containsNan())
        .isFalse();
    assertThat(
            edited(
                    "message m { required float x; }",
                    statistics -> statistics.setNan_count(2),
                    row -> row.append("x", 5.0f))
                .containsNan())
        .isTrue();
    assertThat(
            edited(
                    "message m { required float x; }",
                    Statistics::unsetNan_count,
                    row -> row.append("x", 5.0f))
                .containsNan())
        .isNull();
  }

  @Test
  @DisplayName("REG-29: zero bounds are widened to both zeros")
  void reg29_zeroBoundsAreWidenedToBothZeros() {
    assertThat(
            edited(
                    "message m { required double x; }",
                    statistics -> {
                      statistics.setMin_value(doubleBytes(0.0));
                      statistics.setMax_value(doubleBytes(0.0));
                    },
                    row -> row.append("x", 0.0),
                    row -> row.append("x", -0.0))
                .range())
        .isEqualTo(real(-0.0, 0.0));
  }

  @Test
  @DisplayName("REG-30: bounds that DuckDB cut are kept as bounds")
  void reg30_cutBoundsAreKeptAsBounds() {
    LeafFacts facts = copy("SELECT repeat('a', 300) || 'z' AS s UNION ALL SELECT repeat('a', 300)");

    assertThat(facts.range())
        .isEqualTo(
            new Bound.Range(
                new Bound.Text("a".repeat(256)), new Bound.Text("a".repeat(255) + "b")));
    Bound.Text beyondAscii = new Bound.Text("x".repeat(255) + "éz");
    assertThat(copy("SELECT repeat('x', 255) || 'éz' AS s").range())
        .satisfies(
            range -> {
              assertThat(range.min()).isLessThanOrEqualTo(beyondAscii);
              assertThat(range.max()).isGreaterThanOrEqualTo(beyondAscii);
            });
  }

  @Test
  @DisplayName("REG-31: bounds with a zero byte are unknown")
  void reg31_boundsWithAZeroByteAreUnknown() {
    LeafFacts facts = copy("SELECT 'x' || chr(0) || 'y' AS s");

    assertThat(facts.range()).isNull();
    assertThat(facts.values()).isEqualTo(1);
  }

  @Test
  @DisplayName("REG-32: text that is no UTF-8 has no bounds")
  void reg32_textThatIsNoUtf8HasNoBounds() {
    byte[] bytes = {0x61, (byte) 0xFF, 0x62};

    assertThat(
            java(
                    "message m { required binary s (STRING); }",
                    row -> row.append("s", Binary.fromConstantByteArray(bytes)))
                .range())
        .isNull();
    assertThat(
            java(
                    "message m { required binary s; }",
                    row -> row.append("s", Binary.fromConstantByteArray(bytes)))
                .range())
        .isNull();
  }

  @Test
  @DisplayName("REG-33: a column of NULLs has counts and no bounds")
  void reg33_aColumnOfNullsHasCountsAndNoBounds() {
    LeafFacts facts = copy("SELECT NULL::INT AS n FROM range(3)");

    assertThat(facts)
        .extracting(LeafFacts::nulls, LeafFacts::values, LeafFacts::range)
        .containsExactly(3L, 0L, null);
    assertThat(facts.isAllNull()).isTrue();
  }

  @Test
  @DisplayName("REG-40: bounds of two row groups are compared as values")
  void reg40_boundsOfRowGroupsAreComparedAsValues() {
    Path file =
        TestFiles.copy(
            folder.resolve("g.parquet"),
            "SELECT CASE WHEN i < 2048 THEN DATE '9999-12-31' ELSE DATE '10000-01-01' END AS d,"
                + " CASE WHEN i < 2048 THEN 9 ELSE 10 END::BIGINT AS n FROM range(4096) t(i)",
            ", ROW_GROUP_SIZE 2048");
    ParquetFile read = TestFiles.read(file);

    assertThat(read.leaves().get(0).range()).isEqualTo(whole(2932896, 2932897));
    assertThat(read.leaves().get(1).range()).isEqualTo(whole(9, 10));
  }

  @Test
  @DisplayName("writer-bugs 3, 5: a row group without statistics makes the column unknown")
  void aRowGroupWithoutStatisticsMakesTheColumnUnknown() {
    Path file = twoRowGroups();
    TestFiles.editFooter(file, footer -> chunk(footer, 1).unsetStatistics());

    LeafFacts facts = TestFiles.read(file).leaves().get(0);

    assertThat(facts.range()).isNull();
    assertThat(facts.nulls()).isNull();
    assertThat(facts.values()).isNull();
    assertThat(facts.slots()).isEqualTo(4096);
  }

  @Test
  @DisplayName("writer-bugs 4: a row group of NULLs leaves the other group's bounds alone")
  void aRowGroupOfNullsLeavesBoundsAlone() {
    LeafFacts facts =
        copy(
            "SELECT CASE WHEN i < 2048 THEN NULL ELSE i END AS n FROM range(4096) t(i)",
            ", ROW_GROUP_SIZE 2048");

    assertThat(facts.nulls()).isEqualTo(2048);
    assertThat(facts.range()).isEqualTo(whole(2048, 4095));
  }

  @Test
  @DisplayName("writer-bugs 4: a group without bounds whose NULLs are not counted is unknown")
  void missingBoundsWithoutANullCountAreUnknown() {
    Path file = twoRowGroups();
    TestFiles.editFooter(
        file,
        footer -> {
          Statistics statistics = chunk(footer, 0).getStatistics();
          statistics.unsetMin_value();
          statistics.unsetMax_value();
          statistics.unsetMin();
          statistics.unsetMax();
          statistics.unsetNull_count();
        });

    assertThat(TestFiles.read(file).leaves().get(0).range()).isNull();
  }

  @Test
  @DisplayName("writer-bugs 9: old-style bounds count only where their order is today's")
  void oldStyleBoundsCountOnlyWhereTheirOrderIsTodays() {
    Consumer<Statistics> toOldStyle =
        statistics -> {
          statistics.setMin(statistics.getMin_value());
          statistics.setMax(statistics.getMax_value());
          statistics.unsetMin_value();
          statistics.unsetMax_value();
        };

    assertThat(
            edited("message m { required int32 x; }", toOldStyle, row -> row.append("x", 7))
                .range())
        .isEqualTo(whole(7, 7));
    assertThat(
            edited(
                    "message m { required binary x (STRING); }",
                    toOldStyle,
                    row -> row.append("x", "a"))
                .range())
        .isNull();
    assertThat(
            edited(
                    "message m { required int64 x (INTEGER(64,false)); }",
                    toOldStyle,
                    row -> row.append("x", 7L))
                .range())
        .isNull();
  }

  @Test
  void textBoundsWithoutADeclaredOrderAreUnknown() {
    Path file =
        TestFiles.parquetJava(
            folder.resolve("o.parquet"),
            "message m { required binary s (STRING); required int32 i; }",
            row -> row.append("s", "a").append("i", 1));
    TestFiles.editFooter(file, FileMetaData::unsetColumn_orders);

    assertThat(TestFiles.read(file).leaves())
        .extracting(LeafFacts::range)
        .containsExactly(null, whole(1, 1));
  }

  @Test
  @DisplayName("writer-bugs 10: the empty text is a bound")
  void theEmptyTextIsABound() {
    assertThat(copy("SELECT * FROM (VALUES (''), ('b')) t(s)").range())
        .isEqualTo(new Bound.Range(new Bound.Text(""), new Bound.Text("b")));
  }

  @Test
  void aRequiredColumnHasNoNullsEvenWithoutStatistics() {
    Path file =
        TestFiles.parquetJava(
            folder.resolve("r.parquet"),
            "message m { required int32 x; }",
            row -> row.append("x", 7));
    TestFiles.editFooter(file, footer -> chunk(footer, 0).unsetStatistics());

    assertThat(TestFiles.read(file).leaves().get(0).nulls()).isZero();
  }

  @Test
  void slotsOfListsCountEmptyAndMissingOnesAsNull() {
    LeafFacts facts = copy("SELECT * FROM (VALUES ([NULL]), ([]), (NULL::INT[])) t(l)");

    assertThat(facts).extracting(LeafFacts::slots, LeafFacts::nulls).containsExactly(3L, 3L);
  }

  @Test
  void boundsInTheWrongOrderAreUnknown() {
    assertThat(
            edited(
                    "message m { required int32 x; }",
                    statistics -> {
                      statistics.setMin_value(new byte[] {9, 0, 0, 0});
                      statistics.setMax_value(new byte[] {1, 0, 0, 0});
                    },
                    row -> row.append("x", 7))
                .range())
        .isNull();
    assertThat(
            edited(
                    "message m { required int32 x; }",
                    statistics -> statistics.setMin_value(new byte[] {9}),
                    row -> row.append("x", 7))
                .range())
        .isNull();
  }

  private LeafFacts copy(String select) {
    return copy(select, "");
  }

  private LeafFacts copy(String select, String options) {
    return TestFiles.read(TestFiles.copy(folder.resolve("c.parquet"), select, options))
        .leaves()
        .get(0);
  }

  private Path twoRowGroups() {
    return TestFiles.copy(
        folder.resolve("two.parquet"),
        "SELECT i AS n FROM range(4096) t(i)",
        ", ROW_GROUP_SIZE 2048");
  }

  @SafeVarargs
  private LeafFacts java(String schema, Consumer<Group>... rows) {
    Path file = folder.resolve("j" + made++ + ".parquet");
    return TestFiles.read(TestFiles.parquetJava(file, schema, rows)).leaves().get(0);
  }

  @SafeVarargs
  private LeafFacts edited(String schema, Consumer<Statistics> edit, Consumer<Group>... rows) {
    Path file = folder.resolve("e" + made++ + ".parquet");
    TestFiles.parquetJava(file, schema, rows);
    TestFiles.editFooter(file, footer -> edit.accept(chunk(footer, 0).getStatistics()));
    return TestFiles.read(file).leaves().get(0);
  }

  private static ColumnMetaData chunk(FileMetaData footer, int rowGroup) {
    return footer.getRow_groups().get(rowGroup).getColumns().get(0).getMeta_data();
  }

  private static byte[] doubleBytes(double value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array();
  }

  private static Bound.Range whole(long min, long max) {
    return new Bound.Range(new Bound.Whole(min), new Bound.Whole(max));
  }

  private static Bound.Range real(double min, double max) {
    return new Bound.Range(new Bound.Real(min), new Bound.Real(max));
  }
}
