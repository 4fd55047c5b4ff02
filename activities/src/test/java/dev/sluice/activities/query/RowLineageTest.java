package dev.sluice.activities.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogView;
import dev.sluice.catalog.read.SnapshotEntry;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Row ids, and the snapshots that rows came with, are those that DuckDB sees. */
class RowLineageTest {

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
  void rowsKeepTheirIdsThroughEverythingThatMovesThem() throws SQLException {
    lake.run(
        "CREATE TABLE t(id INT, v VARCHAR)",
        "INSERT INTO t SELECT i, 'a' || i FROM range(40) r(i)",
        "INSERT INTO t VALUES (100, 'small'), (101, 'small')",
        "UPDATE t SET v = 'changed' WHERE id IN (3, 100)",
        "UPDATE t SET v = 'many' WHERE id BETWEEN 10 AND 35",
        "DELETE FROM t WHERE id IN (4, 101)",
        "INSERT INTO t SELECT i, 'b' || i FROM range(200, 230) r(i)",
        "CALL ducklake_flush_inlined_data('lake')",
        "CALL ducklake_merge_adjacent_files('lake')",
        "DELETE FROM t WHERE id BETWEEN 5 AND 30",
        "CALL ducklake_rewrite_data_files('lake', 't', delete_threshold => 0.0)",
        "INSERT INTO t VALUES (7, 'again')");
    for (SnapshotEntry entry : lake.catalog().snapshots()) {
      CatalogView view = lake.catalog().view(entry.snapshot());
      for (Table table : view.tables()) {
        assertThat(
                lake.scan(
                    ScanRequest.all(table.name(), entry.snapshot())
                        .select(List.of("rowid", "v", "SNAPSHOT_ID", "id"))))
            .as("snapshot %d", entry.snapshot().id())
            .containsExactlyInAnyOrderElementsOf(
                lake.duckDb()
                    .queryText(
                        "SELECT rowid, v, snapshot_id, id FROM lake.main.t AT (VERSION => "
                            + entry.snapshot().id()
                            + ")"));
      }
    }
  }

  @Test
  void aColumnOfThatNameIsTheTablesOwn() throws SQLException {
    lake.stopInlining();
    lake.run("CREATE TABLE t(\"RowId\" VARCHAR)", "INSERT INTO t VALUES ('mine')");

    List<List<@Nullable String>> rows =
        lake.scan(
            ScanRequest.all(new TableName("main", "t"), lake.catalog().latest())
                .select(List.of("rowid")));

    assertThat(rows).containsExactly(List.of("mine"));
  }
}
