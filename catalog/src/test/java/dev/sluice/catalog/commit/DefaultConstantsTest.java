package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Defaults of every type. One that DuckDB cannot cast would keep it from opening the lake at all:
 * what is taken, DuckDB reads, and the rest is refused.
 */
class DefaultConstantsTest {

  private static final TableName NAME = new TableName("main", "t");
  private static final TableRef TABLE = TableRef.name("main", "t");

  @TempDir Path folder;
  private TestLake lake;

  @BeforeEach
  void createTable() throws SQLException {
    lake = TestLake.create(folder);
    lake.createTable(NAME, ColumnSpec.of("k", Scalar.INT32));
    lake.append(NAME, lake.file("SELECT 1::INT AS k"));
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private record Constant(String type, String text) {
    ColumnSpec column(String name) {
      return new ColumnSpec(name, ColumnType.parse(type), Nulls.ALLOWED, text, List.of());
    }
  }

  private static List<Constant> constants(String type, String... texts) {
    return List.of(texts).stream().map(text -> new Constant(type, text)).toList();
  }

  @Test
  void whatIsTakenDuckDbReads() throws SQLException {
    List<Constant> all = new ArrayList<>();
    all.addAll(constants("json", "{\"a\": [1, -2.5e3, true, null, {}]}", " [ ] ", "\"x\"", "-0"));
    all.addAll(constants("json", "\"\\u00e9 \\ud83d\\ude00 é 😀 \\\\ \\n\"", "{\"a\":1,\"a\":2}"));
    all.addAll(constants("blob", "", "abc", "\\xFF\\x00", "it's a\nb"));
    all.addAll(constants("interval", "1 day", "3 days 04:05:06.5", "2 months", "04:05:06"));
    all.addAll(constants("interval", "1 year 2 months 1 week 999999 days 5 seconds "));
    all.addAll(constants("timetz", "10:00:00+02", "23:59:59.999999-15:59"));
    all.addAll(constants("int128", "85070591730234615865843651857942052864", "+5"));
    all.addAll(constants("uint128", "170141183460469231731687303715884105728"));
    all.addAll(constants("boolean", "TRUE", "0"));
    all.addAll(constants("float32", "3.4028235e38", "1.", ".5", "+1e-50", "-Infinity"));
    all.addAll(constants("float64", "1e308", "INF", "-0.0"));
    all.addAll(constants("decimal(4,2)", "99.99", "1.", ".5", "+1.50", "1.500"));
    all.addAll(constants("date", "99999-12-31", "0044-03-15 (BC)", "-infinity"));
    all.addAll(constants("time", "24:00:00", "00:00:00.000001"));
    all.addAll(constants("timestamp", "99999-12-31 23:59:59.999999", "2024-02-29"));
    all.addAll(constants("timestamp_ns", "2261-12-31 23:59:59.999999999"));
    all.addAll(constants("timestamptz", "2024-01-01 00:00:00+02", "2024-01-01T00:00:00-05:30"));
    all.addAll(constants("uuid", "00000000-0000-0000-0000-00000000000A"));
    all.addAll(constants("varchar", "", "it's\n\"x\" \\ é 😀", "null"));
    for (int i = 0; i < all.size(); i++) {
      lake.commit(new Change.AddColumn(TABLE, List.of(), all.get(i).column("c" + i)));
    }

    try (DuckLakeSession fresh = lake.attach()) {
      assertThat(fresh.queryText("SELECT * FROM t").get(0))
          .hasSize(1 + all.size())
          .doesNotContainNull();
      fresh.execute("INSERT INTO t (k) VALUES (2)");
      assertThat(fresh.queryText("SELECT * FROM t WHERE k = 2").get(0)).doesNotContainNull();
    }
  }

  @Test
  void whatDuckDbMightNotReadIsRefused() throws SQLException {
    List<Constant> all = new ArrayList<>();
    all.addAll(constants("json", "", " ", "{", "{\"a\"}", "{\"a\":}", "[1,]", "nan", "01", "1."));
    all.addAll(
        constants("json", ".5", "'x'", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"a\tb\"", "1 2"));
    all.addAll(constants("json", "[".repeat(5000), "\"\\x\"", "True", "{a:1}", "\"x"));
    all.addAll(constants("blob", "\\xZZ", "\\xF", "é", "a\\b", "\\"));
    all.addAll(
        constants(
            "interval",
            "",
            " ",
            "3 parsecs",
            "-1 day",
            "-04:05:06",
            "P1D",
            "1",
            "day",
            "04:05:06 1"));
    all.addAll(constants("timetz", "10:00:00", "10:00:00+16", "25:00:00+00", "10:00:00Z"));
    all.addAll(constants("int128", "170141183460469231731687303715884105727", "x", ""));
    all.addAll(constants("uint128", "-1", "1.5"));
    all.addAll(constants("int32", "٣", "1_000", "0x1F", " 1", "2147483648"));
    all.addAll(constants("float64", "1e309", "1d", "0x1p3", "NaN"));
    all.addAll(constants("date", "5881580-07-11", "2024-02-30", "9999999-01-01"));
    all.addAll(constants("timestamp", "294248-01-01 00:00:00", "2024-01-01 00:00:00+02"));
    all.addAll(constants("timestamp_ns", "2262-04-11 23:47:16.854775808", "1600-01-01"));
    all.addAll(constants("uuid", "1-1-1-1-1"));
    all.addAll(constants("geometry", "POINT (1 1)"));
    all.addAll(constants("varchar", "a\0b", "\ud800"));
    long newest = lake.catalog.reader().latest().id();
    for (Constant constant : all) {
      assertThatThrownBy(
              () -> lake.commit(new Change.AddColumn(TABLE, List.of(), constant.column("c"))),
              constant.toString())
          .isInstanceOf(InvalidChangeException.class)
          .hasMessageContaining("column c cannot be added");
    }

    assertThat(lake.catalog.reader().latest().id()).isEqualTo(newest);
  }
}
