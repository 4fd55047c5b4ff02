package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.lake.WriteResult.Outcome;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.Literal;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.Predicate.Operator;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletes, updates and upserts, read back by DuckDB at every snapshot. */
class RowChangesTest {

  private static final TableName T = new TableName("main", "t");

  @TempDir Path folder;
  private WriteLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    // DuckDB's own: its small writes stay in the catalog
    lake = WriteLake.ofDuckDb(folder);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private WriteResult delete(String condition) {
    return lake.tables.delete(T, RowCondition.sql(condition), CommitNote.NONE);
  }

  @Test
  @DisplayName("CLI-04: x <> 1.0 deletes NaN and 2.0, keeps NULL, and a repeat makes no snapshot")
  void cli04NanIsUnequalAndNullIsNot() throws Exception {
    lake.run("CREATE TABLE t (x DOUBLE)", "INSERT INTO t VALUES (1.0), (2.0), ('NaN'), (NULL)");
    lake.insert(T, List.of("x"), List.of(row("1.0"), row("2.0"), row("NaN"), row((String) null)));
    RowCondition unequal =
        RowCondition.of(
            Predicate.compare("x", Operator.NOT_EQUAL, new Literal(Scalar.FLOAT64, "1.0")));

    WriteResult first = lake.tables.delete(T, unequal, CommitNote.NONE);
    long newest = lake.newest();
    WriteResult second = lake.tables.delete(T, unequal, CommitNote.NONE);

    assertThat(first.deleted()).isEqualTo(4);
    assertThat(first.snapshotId()).isEqualTo(newest);
    assertThat(second.outcome()).isEqualTo(Outcome.NOTHING_TO_DO);
    assertThat(second.deleted()).isZero();
    assertThat(lake.newest()).isEqualTo(newest);
    assertThat(lake.rows("SELECT x FROM t ORDER BY x"))
        .containsExactly(row("1.0"), row("1.0"), row((String) null), row((String) null));
    lake.assertAgreesEverywhere();
  }

  @Test
  void rowsAreFoundByBlobsWhichDuckDbMayLose() throws Exception {
    lake.run(
        "CREATE TABLE t AS SELECT range::INT AS k, ('\\x0' || range % 10)::BLOB AS b FROM"
            + " range(40)");
    Predicate six = Predicate.compare("b", Operator.EQUAL, new Literal(Scalar.BLOB, "\\x06"));

    assertThat(delete("b = '\\x05'::BLOB").deleted()).isEqualTo(4);
    assertThat(lake.tables.delete(T, RowCondition.of(six), CommitNote.NONE).deleted()).isEqualTo(4);
    assertThat(lake.value("SELECT count(*) FROM t WHERE hex(b) IN ('05', '06')")).isEqualTo("0");
  }

  @Test
  void rowsOfManyRowGroupsAreDeletedWhereTheyAre() throws Exception {
    lake.run(
        "CALL lake.set_option('parquet_row_group_size', 2048)",
        "CREATE TABLE t AS SELECT range::INT AS k, range % 3 AS r FROM range(20000)");

    assertThat(delete("k % 7 = 3").deleted()).isEqualTo(2857);
    assertThat(delete("r = 1 AND k > 10000").deleted()).isEqualTo(2857);
    lake.run("DELETE FROM t WHERE k % 11 = 0");
    assertThat(delete("k < 100").deleted()).isPositive();

    assertThat(lake.rows("SELECT count(*), sum(k), min(k), max(k) FROM t"))
        .isEqualTo(
            lake.rows(
                "SELECT count(*), sum(k), min(k), max(k) FROM (SELECT range::INT AS k, range % 3 AS"
                    + " r FROM range(20000)) WHERE k % 7 <> 3 AND NOT (r = 1 AND k > 10000) AND k %"
                    + " 11 <> 0 AND k >= 100"));
    lake.assertAgreesEverywhere();
  }

  @Test
  void duckDbsInlinedRowsAndDeletesAreRespected() throws Exception {
    lake.run(
        "CREATE TABLE t (k INT, v VARCHAR)",
        "INSERT INTO t SELECT range, 'file' FROM range(100)",
        "INSERT INTO t VALUES (100, 'inlined'), (101, 'inlined'), (102, 'inlined')",
        "DELETE FROM t WHERE k IN (5, 6, 101)");

    assertThat(delete("k BETWEEN 4 AND 8 OR k = 102").deleted()).isEqualTo(4);
    assertThat(lake.value("SELECT count(*) FROM t")).isEqualTo("96");
    lake.run("DELETE FROM t WHERE k IN (9, 10)");
    assertThat(delete("k < 12").deleted()).isEqualTo(5);

    assertThat(lake.rows("SELECT count(*), min(k), max(k) FROM t"))
        .containsExactly(row("89", "12", "100"));
    lake.assertAgreesEverywhere();
    assertThat(delete("v = 'file'").deleted()).isEqualTo(88);
    assertThat(lake.rows("FROM t")).containsExactly(row("100", "inlined"));
    lake.assertAgreesEverywhere();
  }

  @Test
  void aFlushAfterOurDeleteLeavesEverySnapshotAsItWas() throws Exception {
    lake.run(
        "CREATE TABLE t (k INT)",
        "INSERT INTO t SELECT range FROM range(100)",
        "DELETE FROM t WHERE k < 40",
        "DELETE FROM t WHERE k IN (50, 51)");
    assertThat(delete("k BETWEEN 52 AND 80").deleted()).isEqualTo(29);
    assertThat(delete("k = 90").deleted()).isEqualTo(1);

    lake.run("CALL ducklake_flush_inlined_data('lake')");

    assertThat(lake.value("SELECT count(*) FROM t")).isEqualTo("28");
    lake.assertAgreesEverywhere();
    assertThat(delete("k = 99").deleted()).isEqualTo(1);
    assertThat(lake.value("SELECT count(*) FROM t")).isEqualTo("27");
    lake.assertAgreesEverywhere();
  }

  @Test
  void aTableIsEmptiedAndFilledAgain() throws Exception {
    lake.run(
        "CREATE TABLE t (k INT)",
        "INSERT INTO t SELECT range FROM range(50)",
        "INSERT INTO t VALUES (50)",
        "DELETE FROM t WHERE k < 3");

    WriteResult emptied = lake.tables.truncate(T, CommitNote.NONE);
    WriteResult again = lake.tables.truncate(T, CommitNote.NONE);

    assertThat(emptied.deleted()).isEqualTo(48);
    assertThat(again.outcome()).isEqualTo(Outcome.NOTHING_TO_DO);
    assertThat(lake.rows("SELECT count(*), max(k) FROM t")).containsExactly(row("0", null));
    lake.insert(T, "SELECT range AS k FROM range(100, 151)");
    lake.run("INSERT INTO t VALUES (7)");
    assertThat(lake.rows("SELECT count(*), min(k), max(k) FROM t"))
        .containsExactly(row("52", "7", "150"));
    lake.assertAgreesEverywhere();
  }

  @Test
  void anUpdateIsOneSnapshotAndKeepsRowIds() throws Exception {
    lake.run(
        "CREATE TABLE t (k INT, v VARCHAR)",
        "INSERT INTO t SELECT range, 'a' || range FROM range(20)",
        "INSERT INTO t VALUES (20, 'inlined')");
    List<List<@Nullable String>> ids = idsOf();
    long before = lake.newest();

    WriteResult result =
        lake.tables.update(
            UpdateRequest.of(T, Map.of("v", "upper(v) || k"), RowCondition.sql("k % 10 = 0")));

    assertThat(result.updated()).isEqualTo(3);
    assertThat(lake.newest()).isEqualTo(before + 1);
    assertThat(lake.rows("SELECT k, v FROM t WHERE k % 10 = 0 ORDER BY k"))
        .containsExactly(row("0", "A00"), row("10", "A1010"), row("20", "INLINED20"));
    assertThat(idsOf()).isEqualTo(ids);
    assertThat(
            lake.rows(
                "SELECT change_type, k, v FROM ducklake_table_changes('lake', 'main', 't', %d, %d) ORDER BY k, change_type DESC"
                    .formatted(before + 1, before + 1)))
        .containsExactly(
            row("update_preimage", "0", "a0"),
            row("update_postimage", "0", "A00"),
            row("update_preimage", "10", "a10"),
            row("update_postimage", "10", "A1010"),
            row("update_preimage", "20", "inlined"),
            row("update_postimage", "20", "INLINED20"));
    lake.assertAgreesEverywhere();

    lake.tables.update(UpdateRequest.of(T, Map.of("k", "k + 100"), RowCondition.all()));
    assertThat(lake.rows("SELECT count(*), min(k), max(k) FROM t"))
        .containsExactly(row("21", "100", "120"));
    lake.run("UPDATE t SET v = 'd' WHERE k = 110");
    assertThat(delete("v = 'd'").deleted()).isEqualTo(1);
    lake.assertAgreesEverywhere();
  }

  private List<List<@Nullable String>> idsOf() throws SQLException {
    return lake.rows("SELECT k, rowid FROM t ORDER BY k");
  }

  @Test
  void anUpsertMeetsRowsByTheirKey() throws Exception {
    lake.run(
        "CREATE TABLE t (k INT, sub VARCHAR, v INT DEFAULT 7, w INT)",
        "INSERT INTO t SELECT range, 'x', range, range FROM range(30)",
        "INSERT INTO t VALUES (30, 'x', 30, 30)");
    UpsertRequest request =
        UpsertRequest.of(
            T,
            new RowSource.Select(
                "SELECT range + 28 AS k, 'x' AS sub, 1000 + range AS w FROM range(5)"),
            List.of("k", "sub"));
    long before = lake.newest();

    WriteResult result = lake.tables.upsert(request);
    WriteResult repeat = lake.tables.upsert(request);

    assertThat(result.updated()).isEqualTo(3);
    assertThat(result.inserted()).isEqualTo(2);
    assertThat(repeat.outcome()).isEqualTo(Outcome.NOTHING_TO_DO);
    assertThat(lake.newest()).isEqualTo(before + 1);
    assertThat(lake.rows("FROM t WHERE k >= 27 ORDER BY k"))
        .containsExactly(
            row("27", "x", "27", "27"),
            row("28", "x", "28", "1000"),
            row("29", "x", "29", "1001"),
            row("30", "x", "30", "1002"),
            row("31", "x", "7", "1003"),
            row("32", "x", "7", "1004"));
    lake.assertAgreesEverywhere();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT 1 AS k, 2 AS v UNION ALL SELECT 1, 3 | the key 1 is in the source twice
          SELECT NULL::INT AS k, 2 AS v               | column k of the key is NULL in the source
          SELECT 1 AS v                               | the source has no column k
          SELECT 1 AS k, 'x' AS v                     | column v is INTEGER and cannot hold 'x'
          """)
  void anUpsertThatSaysNothingClearIsRefused(String select, String reason) throws Exception {
    lake.run("CREATE TABLE t (k INT, v INT)", "INSERT INTO t VALUES (1, 1)");
    long newest = lake.newest();

    assertThatThrownBy(
            () ->
                lake.tables.upsert(UpsertRequest.of(T, new RowSource.Select(select), List.of("k"))))
        .isInstanceOf(WriteException.class)
        .hasMessageStartingWith("upsert into main.t: ")
        .hasMessageContaining(reason);
    assertThat(lake.newest()).isEqualTo(newest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nope = 1",
        "k = ",
        "k = 1) OR (1 = 1",
        "1; DELETE FROM t",
        "k = 'x'",
        "CAST(k || 'x' AS INT) = 1",
        "factorial(k + 1000) = 1"
      })
  void aConditionThatIsNoneIsRefused(String condition) throws Exception {
    lake.run("CREATE TABLE t (k INT)", "INSERT INTO t VALUES (1)");
    long newest = lake.newest();

    assertThatThrownBy(() -> delete(condition))
        .isInstanceOf(WriteException.class)
        .hasMessageStartingWith("delete from main.t: ")
        .extracting(e -> ((WriteException) e).kind())
        .isNotEqualTo(WriteException.Kind.ENGINE_FAILED);
    assertThat(lake.newest()).isEqualTo(newest);
  }

  @Test
  void partitionedRowsMoveWithTheirKey() throws Exception {
    lake.create(
        new TableName("s", "p"),
        ColumnSpec.of("k", Scalar.INT32),
        ColumnSpec.of("day", Scalar.DATE));
    lake.run("ALTER TABLE s.p SET PARTITIONED BY (month(day))");
    TableName p = new TableName("s", "p");
    lake.insert(p, "SELECT range AS k, DATE '2024-01-01' + range::INT AS day FROM range(90)");

    lake.tables.update(UpdateRequest.of(p, Map.of("day", "day + 31"), RowCondition.sql("k < 10")));

    assertThat(lake.value("SELECT count(*) FROM s.p WHERE month(day) = 1")).isEqualTo("21");
    assertThat(lake.value("SELECT count(*) FROM s.p WHERE day = DATE '2024-02-01'")).isEqualTo("2");
    lake.assertAgreesEverywhere();
  }
}
