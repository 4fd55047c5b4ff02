package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Operator;
import dev.sluice.catalog.read.UnreadableTableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What values look like, and which rows a condition finds. */
class ScanValuesTest {

  @TempDir private Path folder;
  private RefereeLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = RefereeLake.create(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  @Test
  @DisplayName("CLI-03: values that the JDBC driver spoils are exact, inlined and in files")
  void cli03_valuesAreExact() throws SQLException {
    String columns =
        "(u UUID, b BLOB, l INT[], m MAP(VARCHAR, INT), t TIME, ts TIMESTAMP, d DATE, tz"
            + " TIMESTAMPTZ, f DOUBLE, n TIMESTAMP_NS, i INTERVAL, q UBIGINT, x DECIMAL(38,2))";
    String rows =
        "VALUES ('11111111-2222-3333-4444-555555555555', '\\xDE\\xADA'::BLOB, [1,NULL], MAP{'k':1},"
            + " '24:00:00', 'infinity', '-infinity', '2020-01-01 00:00:00+02', 'nan',"
            + " '2020-01-01 00:00:00.123456789', INTERVAL '-14 months 3 days -4 seconds',"
            + " 18446744073709551615, 123456789012345678901234567890123456.78), (NULL, '', [],"
            + " MAP{}, '00:00:00.000001', '-infinity', 'infinity', '0044-03-15 (BC)"
            + " 00:00:00+00'::TIMESTAMPTZ, '-inf', NULL, INTERVAL '-2 days 3 minutes 7 milliseconds', 0, -0.01)";
    lake.run("CREATE TABLE t" + columns, "INSERT INTO t " + rows);
    lake.stopInlining();
    lake.run(
        "CREATE TABLE u" + columns,
        // DuckDB writes no negative interval into a file
        "INSERT INTO u SELECT * REPLACE (INTERVAL '2 months 3 days 5 seconds' AS i) FROM t");
    assertThat(lake.scan("t"))
        .anySatisfy(
            row ->
                assertThat(row)
                    .contains(
                        "11111111-2222-3333-4444-555555555555",
                        "DEAD41",
                        "[1, NULL]",
                        "{k=1}",
                        "24:00:00",
                        "infinity",
                        "-infinity",
                        "2019-12-31 22:00:00+00",
                        "nan",
                        "2020-01-01 00:00:00.123456789",
                        "18446744073709551615",
                        "123456789012345678901234567890123456.78"));
    lake.assertAgreesEverywhere();
  }

  @Test
  @DisplayName("CLI-03: the greatest HUGEINT is read in full from the catalog")
  void cli03_hugeIntegersAreReadInFull() throws SQLException {
    lake.run(
        "CREATE TABLE t(h HUGEINT, s STRUCT(a INT, b VARCHAR))",
        "INSERT INTO t VALUES (170141183460469231731687303715884105727, {'a': 1, 'b': 'x y'}),"
            + " (-5, {'a': NULL, 'b': NULL})");
    assertThat(lake.scan("t"))
        .containsExactlyInAnyOrder(
            List.of("170141183460469231731687303715884105727", "{'a': 1, 'b': x y}"),
            List.of("-5", "{'a': NULL, 'b': NULL}"));
    lake.assertAgreesEverywhere();
  }

  @Test
  void everyKindOfInlinedValueReadsAsInDuckDb() throws SQLException {
    lake.run(
        "CREATE TABLE t(l VARCHAR[], d DATE[], m MAP(VARCHAR, VARCHAR), s STRUCT(v VARCHAR, l"
            + " VARCHAR[]), b BLOB[], tz TIMETZ, j JSON, f FLOAT, u UHUGEINT)",
        "INSERT INTO t VALUES (['it''s', 'a,b', '', 'NULL', NULL, ' x '], [DATE '2020-01-01', NULL],"
            + " MAP{'a=b': 'c, d', '': NULL}, {'v': 'it''s {a}, \"b\"', 'l': ['it''s', 'x y']},"
            + " ['\\xDE\\x00'::BLOB], '12:00:00+05', '{\"a\": 1}', 'nan',"
            + " 340282366920938463463374607431768211455), (NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
            + " NULL, NULL)");
    lake.assertAgreesEverywhere();
  }

  @Test
  void inlinedStructsThatDuckDbCannotReadBackAreRead() throws SQLException {
    lake.run(
        "CREATE TABLE t(s STRUCT(d DATE, t TIMESTAMP, u UUID, v VARCHAR))",
        "INSERT INTO t VALUES ({'d': '2020-01-01', 't': '2020-01-02 03:04:05', 'u':"
            + " '11111111-2222-3333-4444-555555555555', 'v': 'CAST(''x'' AS DATE)'})");
    // DuckDB answers with an internal error here
    assertThat(lake.scan("t"))
        .containsExactly(
            List.of(
                "{'d': 2020-01-01, 't': '2020-01-02 03:04:05', 'u':"
                    + " 11111111-2222-3333-4444-555555555555, 'v': 'CAST(x AS DATE)'}"));
  }

  @Test
  @DisplayName("CLI-05: names that need quoting are read")
  void cli05_awkwardNamesAreRead() throws SQLException {
    lake.run(
        "CREATE SCHEMA \"my.schema\"",
        "CREATE TABLE \"my.schema\".\"select\"(\"at\" INT, \"a\"\"b\" VARCHAR)",
        "INSERT INTO \"my.schema\".\"select\" VALUES (1, 'x')",
        "CREATE TABLE \"x\"\"; drop table y; --\"(\"c'd\" INT, \"e.f\" STRUCT(\"g h\" INT))",
        "INSERT INTO \"x\"\"; drop table y; --\" VALUES (2, {'g h': 3})");
    lake.assertAgreesEverywhere();
    lake.stopInlining();
    lake.run(
        "INSERT INTO \"my.schema\".\"select\" VALUES (3, 'y''z')",
        "INSERT INTO \"x\"\"; drop table y; --\" VALUES (4, {'g h': 5})");
    lake.assertAgreesEverywhere();
    ScanRequest nested =
        request("x\"; drop table y; --")
            .where(
                new Predicate.Comparison(
                    List.of("e.f", "g h"), Operator.GREATER, new Literal(Scalar.INT32, "3")));
    assertThat(lake.scan(nested)).containsExactly(List.of("4", "{'g h': 5}"));
  }

  @Test
  @DisplayName("SCN-06: a deletion vector is refused by name, never ignored")
  void scn06_deletionVectorsAreRefused() throws SQLException {
    lake.stopInlining();
    lake.run(
        "CALL lake.set_option('write_deletion_vectors', true)",
        "CREATE TABLE t(i INT)",
        "INSERT INTO t SELECT i FROM range(100) r(i)",
        "DELETE FROM t WHERE i < 10");
    ScanRequest all = request("t");
    for (ThrowingCallable read :
        List.<ThrowingCallable>of(
            () -> lake.scan(all),
            () -> lake.scanner().count(all),
            () -> lake.sql().query("SELECT count(*) FROM t", all.snapshot()).close())) {
      assertThatThrownBy(read)
          .isInstanceOf(UnreadableTableException.class)
          .hasMessageContaining("table main.t: delete file")
          .hasMessageContaining("puffin")
          .hasMessageContaining("ducklake_rewrite_data_files");
    }
  }

  @Test
  @DisplayName("SCN-08: comparisons are typed, and widened columns find their old rows")
  void scn08_comparisonsAreTyped() throws SQLException {
    lake.stopInlining();
    lake.run(
        "CREATE TABLE t(c INT, d DECIMAL(4,2), f FLOAT)",
        "INSERT INTO t VALUES (1, 1.50, 0.1), (2, 9.00, 2.5)",
        "INSERT INTO t VALUES (3, 10.00, 16777216), (4, NULL, 'nan')");
    assertAgreesOn("c", Operator.GREATER, Scalar.FLOAT64, "2.5", 2);
    assertAgreesOn("c", Operator.GREATER, new Decimal(2, 1), "2.5", 2);
    assertAgreesOn("c", Operator.LESS, Scalar.INT64, "9999999999", 4);
    assertAgreesOn("d", Operator.EQUAL, new Decimal(4, 2), "1.50", 1);
    assertAgreesOn("d", Operator.GREATER, new Decimal(4, 2), "9", 1);
    assertAgreesOn("f", Operator.EQUAL, Scalar.FLOAT32, "0.1", 1);
    assertAgreesOn("f", Operator.GREATER, Scalar.FLOAT32, "1e30", 1);
    lake.run("ALTER TABLE t ALTER f TYPE DOUBLE", "ALTER TABLE t ALTER c TYPE BIGINT");
    assertAgreesOn("f", Operator.EQUAL, Scalar.FLOAT64, "0.10000000149011612", 1);
    assertAgreesOn("f", Operator.EQUAL, Scalar.FLOAT64, "nan", 1);
    assertAgreesOn("f", Operator.LESS, Scalar.FLOAT64, "nan", 3);
    assertAgreesOn("c", Operator.EQUAL, Scalar.INT64, "4", 1);
  }

  @Test
  void columnsAndLimitsAreThoseOfTheRequest() throws SQLException {
    lake.run("CREATE TABLE t(a INT, b INT)", "INSERT INTO t SELECT i, i + 1 FROM range(50) r(i)");
    try (ScanRows rows = lake.scanner().scan(request("t").select(List.of("B")).limit(7))) {
      assertThat(rows.columns()).extracting(ScanColumn::name).containsExactly("b");
      int seen = 0;
      while (rows.next()) {
        seen++;
      }
      assertThat(seen).isEqualTo(7);
    }
    assertThatThrownBy(() -> lake.scan(request("t").select(List.of("nope"))))
        .isInstanceOf(QueryException.class)
        .hasMessage("table main.t: there is no column nope; the columns there are a, b");
  }

  @Test
  void aMissingFileIsNamed() throws Exception {
    lake.stopInlining();
    lake.run("CREATE TABLE t(a INT)", "INSERT INTO t VALUES (1)");
    try (Stream<Path> found = Files.walk(folder.resolve("lake"))) {
      for (Path file : found.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(() -> lake.scan("t"))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining(".parquet: the catalog lists it, but it is not there");
  }

  private void assertAgreesOn(
      String column, Operator operator, ColumnType type, String text, int expected)
      throws SQLException {
    Predicate predicate = Predicate.compare(column, operator, new Literal(type, text));
    assertThat(lake.scan(request("t").where(predicate))).as("%s", predicate).hasSize(expected);
  }

  private ScanRequest request(String table) {
    return ScanRequest.all(new TableName("main", table), lake.catalog().latest());
  }
}
