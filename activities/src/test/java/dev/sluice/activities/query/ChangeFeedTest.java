package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.InvalidPredicateException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The change feed is the one that DuckDB gives. */
class ChangeFeedTest {

  private static final TableName TABLE = new TableName("main", "t");

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
  void changesOfEveryRangeAreThoseOfDuckDb() throws SQLException {
    lake.run(
        "CREATE TABLE t(id INT, v VARCHAR)",
        "INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, NULL)",
        "UPDATE t SET v = 'uno' WHERE id = 1",
        "DELETE FROM t WHERE id = 3",
        "INSERT INTO t SELECT i, 'n' || i FROM range(100, 160) r(i)",
        "DELETE FROM t WHERE id IN (101, 102)",
        "DELETE FROM t WHERE id BETWEEN 110 AND 135",
        "UPDATE t SET v = v || '!' WHERE id BETWEEN 136 AND 150",
        "ALTER TABLE t ADD COLUMN w INT DEFAULT 7",
        "UPDATE t SET v = 'now', w = 8 WHERE id IN (2, 155)",
        "DELETE FROM t WHERE id >= 136",
        "INSERT INTO t VALUES (5, 'five', 5)");
    assertAgreesForEveryRange();
  }

  @Test
  void changesAreTheSameAfterFilesWereFlushedAndMerged() throws SQLException {
    lake.run(
        "CREATE TABLE t(id INT, v VARCHAR)",
        "INSERT INTO t VALUES (1, 'one'), (2, 'two')",
        "INSERT INTO t VALUES (3, 'three')",
        "UPDATE t SET v = 'zwei' WHERE id = 2",
        "DELETE FROM t WHERE id = 1",
        "CALL ducklake_flush_inlined_data('lake')",
        "INSERT INTO t SELECT i, 'a' FROM range(10, 40) r(i)",
        "INSERT INTO t SELECT i, 'b' FROM range(40, 70) r(i)",
        "CALL ducklake_merge_adjacent_files('lake')");
    assertAgreesForEveryRange();
  }

  @Test
  void aDeleteFromAMergedFileBelongsToTheSnapshotThatDeleted() throws SQLException {
    lake.stopInlining();
    lake.run(
        "CREATE TABLE t(id INT, v VARCHAR)",
        "INSERT INTO t SELECT i, 'a' FROM range(3) r(i)",
        "INSERT INTO t SELECT i, 'b' FROM range(3, 6) r(i)",
        "CALL ducklake_merge_adjacent_files('lake')",
        "DELETE FROM t WHERE id IN (2, 3)");
    long deleted = lake.catalog().latest().id();

    // DuckDB 1.5.5 lists these under the snapshots that inserted the rows, and so as updates
    assertThat(changes(deleted, deleted))
        .containsExactly(
            List.of(Long.toString(deleted), "2", "delete", "2", "a"),
            List.of(Long.toString(deleted), "3", "delete", "3", "b"));
    assertThat(changes(1, deleted)).hasSize(8).noneMatch(row -> row.contains("update_preimage"));
  }

  @Test
  void rewrittenFilesChangeNothing() throws SQLException {
    lake.stopInlining();
    lake.run(
        "CREATE TABLE t(id INT, v VARCHAR)",
        "INSERT INTO t SELECT i, 'a' FROM range(20) r(i)",
        "DELETE FROM t WHERE id < 15",
        "CALL ducklake_rewrite_data_files('lake', 't', delete_threshold => 0.0)");
    long rewritten = lake.catalog().latest().id();
    lake.run("UPDATE t SET v = 'b' WHERE id = 17");

    assertThat(changes(rewritten, rewritten)).isEmpty();
    assertThat(changes(rewritten, rewritten + 1))
        .containsExactly(
            List.of(Long.toString(rewritten + 1), "17", "update_preimage", "17", "a"),
            List.of(Long.toString(rewritten + 1), "17", "update_postimage", "17", "b"));
    assertThat(changes(1, rewritten)).hasSize(20 + 15);
  }

  @Test
  void columnsAndLimitsAreThoseOfTheRequest() throws SQLException {
    lake.run("CREATE TABLE t(id INT, v VARCHAR)", "INSERT INTO t VALUES (1, 'one'), (2, 'two')");
    CatalogReader catalog = lake.catalog();

    assertThat(
            changes(
                new ChangeRequest(
                    TABLE,
                    catalog.snapshot(0),
                    catalog.latest(),
                    List.of("v"),
                    OptionalLong.of(1))))
        .containsExactly(List.of("2", "0", "insert", "one"));
    assertThatThrownBy(
            () ->
                lake.changeFeed()
                    .changes(ChangeRequest.all(TABLE, catalog.latest(), catalog.snapshot(1))))
        .isInstanceOf(InvalidPredicateException.class)
        .hasMessage(
            "table main.t: there are no snapshots from 2 to 1; the first one has to be the older"
                + " one; swap them");
  }

  private void assertAgreesForEveryRange() throws SQLException {
    long newest = lake.catalog().latest().id();
    for (long to = 1; to <= newest; to++) {
      for (long from = 1; from <= to; from++) {
        List<String> columns =
            lake.catalog().view(lake.catalog().snapshot(to)).table(TABLE).columns().stream()
                .map(column -> column.name())
                .toList();
        assertThat(changes(from, to))
            .as("changes from %d to %d", from, to)
            .containsExactlyInAnyOrderElementsOf(
                lake.duckDb()
                    .queryText(
                        "SELECT snapshot_id, rowid, change_type, %s FROM ducklake_table_changes('lake', 'main', 't', %d, %d)"
                            .formatted(String.join(", ", columns), from, to)));
      }
    }
  }

  private List<List<@Nullable String>> changes(long from, long to) {
    CatalogReader catalog = lake.catalog();
    return changes(ChangeRequest.all(TABLE, catalog.snapshot(from), catalog.snapshot(to)));
  }

  private List<List<@Nullable String>> changes(ChangeRequest request) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ScanRows changes = lake.changeFeed().changes(request)) {
      while (changes.next()) {
        rows.add(changes.row());
      }
    }
    return rows;
  }
}
