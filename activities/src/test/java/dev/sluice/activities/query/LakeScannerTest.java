package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.Predicate;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LakeScannerTest {

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
  @DisplayName("SCN-03: rows, deletes and columns that DuckDB keeps in the catalog are read")
  void scn03_inlinedRowsAreRead() throws SQLException {
    lake.run("CREATE TABLE t(a INT, b VARCHAR)", "INSERT INTO t VALUES (1,'x'), (2,NULL), (3,'z')");
    assertThat(lake.scan("t")).hasSize(3);
    lake.run("DELETE FROM t WHERE a = 2");
    assertThat(lake.scan("t")).containsExactlyInAnyOrder(row("1", "x"), row("3", "z"));
    lake.run("ALTER TABLE t ADD COLUMN c INT");
    assertThat(lake.scan("t")).containsExactlyInAnyOrder(row("1", "x", null), row("3", "z", null));
    lake.run("INSERT INTO t VALUES (4, 'y', 5)", "UPDATE t SET c = 7 WHERE a = 1");
    lake.assertAgreesEverywhere();
  }

  @Test
  void aHistoryOfEveryKindOfChangeReadsLikeDuckDbAtEverySnapshot() throws SQLException {
    lake.run(
        "CREATE TABLE t(id INT, name VARCHAR, d DECIMAL(9,2))",
        "INSERT INTO t SELECT i, 'n' || i, i / 4 FROM range(100) r(i)",
        "INSERT INTO t VALUES (1000, 'small', 1.5)",
        "DELETE FROM t WHERE id BETWEEN 10 AND 40",
        "DELETE FROM t WHERE id = 50",
        "DELETE FROM t WHERE id BETWEEN 60 AND 80",
        "UPDATE t SET name = 'changed' WHERE id < 5",
        "ALTER TABLE t ADD COLUMN extra VARCHAR DEFAULT 'dflt'",
        "INSERT INTO t SELECT i, 'm' || i, i, NULL FROM range(200, 230) r(i)",
        "ALTER TABLE t RENAME COLUMN name TO title",
        "ALTER TABLE t ALTER id TYPE BIGINT",
        "INSERT INTO t VALUES (9999999999, 'wide', 1, 'e')",
        "ALTER TABLE t DROP COLUMN extra",
        "ALTER TABLE t ADD COLUMN extra INT",
        "INSERT INTO t SELECT i, 'k' || i, i, i FROM range(300, 330) r(i)",
        "CALL ducklake_flush_inlined_data('lake')",
        "CALL ducklake_merge_adjacent_files('lake')",
        "DELETE FROM t WHERE id BETWEEN 0 AND 9",
        "CALL ducklake_rewrite_data_files('lake', 't', delete_threshold => 0.0)",
        "INSERT INTO t VALUES (5, 'again', 2, 3)",
        "ALTER TABLE t RENAME TO u",
        "INSERT INTO u VALUES (6, 'renamed', 2, 3)",
        "DELETE FROM u");
    lake.assertAgreesEverywhere();
  }

  @Test
  @DisplayName("SCN-02: renamed, dropped and re-added columns keep their own values")
  void scn02_columnsAreFoundById() throws SQLException {
    lake.stopInlining();
    lake.run(
        "CREATE TABLE t(id INT, tag VARCHAR)",
        "INSERT INTO t VALUES (1, 'x'), (2, 'y')",
        "ALTER TABLE t DROP COLUMN tag",
        "ALTER TABLE t ADD COLUMN tag VARCHAR",
        "INSERT INTO t VALUES (3, 'z')",
        "CREATE TABLE u(id INT)",
        "INSERT INTO u VALUES (1)",
        "ALTER TABLE u RENAME COLUMN id TO nid",
        "INSERT INTO u VALUES (2)");
    assertThat(lake.scan("t"))
        .containsExactlyInAnyOrder(row("1", null), row("2", null), row("3", "z"));
    assertThat(lake.scan("u")).containsExactlyInAnyOrder(row("1"), row("2"));
    lake.assertAgreesEverywhere();
  }

  @Test
  void nestedColumnsFollowTheirFieldsThroughChanges() throws SQLException {
    lake.stopInlining();
    lake.run(
        "CREATE TABLE t(id INT, s STRUCT(a INT, b STRUCT(c VARCHAR, d INT)), l INT[],"
            + " m MAP(VARCHAR, STRUCT(x INT)), ls STRUCT(q INT)[], ll INT[][])",
        "INSERT INTO t VALUES (1, {'a':1,'b':{'c':'x','d':2}}, [1,NULL], MAP{'k':{'x':1}},"
            + " [{'q':3},NULL], [[1],NULL,[]]), (2,NULL,NULL,NULL,NULL,NULL),"
            + " (3, {'a':NULL,'b':NULL}, [], MAP{}, [], [])",
        "ALTER TABLE t ADD COLUMN s.e INT",
        "ALTER TABLE t RENAME COLUMN s.a TO aa",
        "ALTER TABLE t DROP COLUMN s.b.d",
        "ALTER TABLE t ADD COLUMN s.b.d VARCHAR",
        "ALTER TABLE t ADD COLUMN ls.element.r VARCHAR",
        "ALTER TABLE t ADD COLUMN m.value.y INT",
        "INSERT INTO t VALUES (4, {'aa':4,'b':{'c':'y','d':'five'},'e':6}, [2], MAP{'k':{'x':1,'y':2}},"
            + " [{'q':3,'r':'s'}], [[7]])");
    lake.assertAgreesEverywhere();
  }

  @Test
  @DisplayName("SCN-04: a position deleted twice counts once")
  void scn04_aPositionDeletedTwiceCountsOnce() throws SQLException {
    lake.stopInlining();
    lake.run(
        "CREATE TABLE t(i INT)",
        "INSERT INTO t SELECT i FROM range(100) r(i)",
        "DELETE FROM t WHERE i BETWEEN 50 AND 79");
    lake.updateCatalog(
        "CREATE TABLE ducklake_inlined_delete_1(file_id BIGINT, row_id BIGINT, begin_snapshot"
            + " BIGINT)");
    lake.updateCatalog(
        "INSERT INTO ducklake_inlined_delete_1 SELECT min(data_file_id), 50, 3 FROM"
            + " ducklake_data_file");
    assertThat(lake.scan("t")).hasSize(70);
    assertThat(lake.scanner().count(all("t"))).isEqualTo(70);
  }

  @Test
  @DisplayName("SCN-05: rewritten files keep older snapshots right")
  void scn05_rewrittenFilesKeepHistory() throws SQLException {
    lake.stopInlining();
    lake.run(
        "CREATE TABLE t(i INT)",
        "INSERT INTO t VALUES (NULL), (1)",
        "DELETE FROM t WHERE i IS NULL",
        "CALL ducklake_rewrite_data_files('lake', 't', delete_threshold => 0.0)");
    ScanRequest before = ScanRequest.all(all("t").table(), lake.catalog().snapshot(2));
    assertThat(lake.scan(before)).containsExactlyInAnyOrder(row((String) null), row("1"));
    assertThat(lake.scanner().count(before)).isEqualTo(2);
    assertThat(lake.scanner().count(before.where(new Predicate.IsNull(List.of("i"))))).isEqualTo(1);
    try (ScanRows counts =
        lake.sql().query("SELECT count(*), count(i), min(i) FROM t", before.snapshot())) {
      assertThat(counts.next()).isTrue();
      assertThat(counts.row()).containsExactly("2", "1", "1");
    }
    assertThat(lake.scan("t")).containsExactly(row("1"));
  }

  @Test
  void partitionedTablesReadLikeDuckDb() throws SQLException {
    lake.stopInlining();
    lake.run(
        "CREATE TABLE t(id INT, ts TIMESTAMP, u VARCHAR)",
        "ALTER TABLE t SET PARTITIONED BY (year(ts), month(ts), bucket(4, u))",
        "INSERT INTO t SELECT i, TIMESTAMP '2023-11-01' + INTERVAL (i) DAY, 'u' || (i % 7) FROM"
            + " range(120) r(i)",
        "ALTER TABLE t SET PARTITIONED BY (u)",
        "INSERT INTO t SELECT i, TIMESTAMP '2024-11-01' + INTERVAL (i) DAY, CASE WHEN i % 3 > 0 THEN"
            + " 'a/b=c ' || (i % 3) END FROM range(20) r(i)");
    lake.assertAgreesEverywhere();
  }

  private ScanRequest all(String table) {
    return ScanRequest.all(new TableName("main", table), lake.catalog().latest());
  }

  private static List<@Nullable String> row(@Nullable String... values) {
    return Arrays.asList(values);
  }
}
