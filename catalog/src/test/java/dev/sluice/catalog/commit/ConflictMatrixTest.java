package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.CommitResult.Outcome;
import dev.sluice.catalog.error.CommitConflictException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conflict matrix of ducklake-format 3.2, pair by pair. Somebody else's commit is a snapshot
 * whose change log says what it did; that is all the check looks at.
 */
class ConflictMatrixTest {

  private static final ColumnSpec K = ColumnSpec.of("k", Scalar.INT32);
  private static final TableName NAME = new TableName("s", "t");

  @TempDir Path folder;
  private TestLake lake;
  private long base;
  private TableRef table;
  private long tableId;
  private long fileId;
  private int files;

  @BeforeEach
  void createLake() throws SQLException {
    lake = TestLake.create(folder);
    lake.createTable(NAME, K, ColumnSpec.of("j", Scalar.INT32));
    base = lake.append(NAME, lake.invented("base", 10)).snapshotId();
    tableId = Long.parseLong(lake.sql("SELECT table_id FROM ducklake_table"));
    fileId = Long.parseLong(lake.sql("SELECT data_file_id FROM ducklake_data_file"));
    table = TableRef.id(tableId);
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private void theirs(String changesMade) throws SQLException {
    lake.tamper(
        "INSERT INTO ducklake_snapshot SELECT snapshot_id + 1, now(), schema_version,"
            + " next_catalog_id, next_file_id FROM ducklake_snapshot ORDER BY 1 DESC LIMIT 1;"
            + " INSERT INTO ducklake_snapshot_changes (snapshot_id, changes_made) SELECT"
            + " max(snapshot_id), '"
            + changesMade.replace("%t", String.valueOf(tableId))
            + "' FROM ducklake_snapshot");
  }

  private CommitResult mine(Change change) {
    return lake.catalog.commit(CommitRequest.of("mine", new Base.PlannedOn(base), List.of(change)));
  }

  private void conflicts(Change change, String... theirChanges) throws SQLException {
    for (String theirChange : theirChanges) {
      theirs(theirChange);
      CommitConflictException conflict =
          catchThrowableOfType(CommitConflictException.class, () -> mine(change));
      assertThat(conflict)
          .as("%s against %s", change, theirChange)
          .hasMessageContaining("mine: conflicts with a commit made since snapshot " + base)
          .hasMessageContaining(theirChange.replace("%t", String.valueOf(tableId)));
      assertThat(conflict.conflict()).isTrue();
      assertThat(conflict.retryable()).isFalse();
      assertThat(conflict.outcomeKnown()).isTrue();
      forget();
    }
  }

  private void passes(Change change, String... theirChanges) throws SQLException {
    for (String theirChange : theirChanges) {
      theirs(theirChange);
    }
    assertThat(mine(change).outcome()).isEqualTo(Outcome.COMMITTED);
  }

  private void forget() throws SQLException {
    lake.tamper("DELETE FROM ducklake_snapshot WHERE snapshot_id > " + base);
    lake.tamper("DELETE FROM ducklake_snapshot_changes WHERE snapshot_id > " + base);
  }

  private Change insert() {
    return new Change.AddDataFiles(table, List.of(lake.invented("mine-" + files++, 1)));
  }

  private Change delete() {
    return new Change.AddDeleteFiles(
        table,
        List.of(new Change.NewDeleteFile(fileId, folder + "/mine-delete.parquet", 1, 100, null)));
  }

  @Test
  void insertAgainstDropAlterAndDeletes() throws SQLException {
    conflicts(
        insert(),
        "dropped_table:%t",
        "altered_table:%t",
        "deleted_from_table:%t",
        "inlined_delete:%t");
  }

  @Test
  void insertCommutesWithInsertsAndCompaction() throws SQLException {
    passes(
        insert(),
        "inserted_into_table:%t",
        "inlined_insert:%t",
        "inline_flush:%t",
        "merge_adjacent:%t",
        "rewrite_delete:%t",
        "altered_table:9999",
        "created_table:\"s\".\"other\"");
  }

  @Test
  void deleteAgainstEverythingThatTouchesRows() throws SQLException {
    conflicts(
        delete(),
        "dropped_table:%t",
        "altered_table:%t",
        "inserted_into_table:%t",
        "inlined_insert:%t",
        "inlined_delete:%t",
        "inline_flush:%t",
        "merge_adjacent:%t",
        "rewrite_delete:%t");
  }

  @Test
  void deleteAgainstDeleteOnlyOfTheSameFile() throws SQLException {
    lake.tamper(
        "INSERT INTO ducklake_data_file SELECT 500, table_id, begin_snapshot, NULL, NULL,"
            + " 'other.parquet', true, 'parquet', 10, 1000, NULL, 100, NULL, NULL, NULL, NULL FROM"
            + " ducklake_data_file");
    theirs("deleted_from_table:%t");
    lake.tamper(
        "INSERT INTO ducklake_delete_file VALUES (501, "
            + tableId
            + ", "
            + (base + 1)
            + ", NULL, 500, 'd.parquet', true, 'parquet', 1, 100, NULL, NULL, NULL)");
    Change sameFile =
        new Change.AddDeleteFiles(
            table,
            List.of(new Change.NewDeleteFile(500, folder + "/x-delete.parquet", 2, 100, null)));

    CommitConflictException conflict =
        catchThrowableOfType(CommitConflictException.class, () -> mine(sameFile));

    assertThat(conflict).hasMessageContaining("delete rows of data file 500");
    assertThat(mine(delete()).outcome()).isEqualTo(Outcome.COMMITTED);
  }

  @Test
  void deleteAgainstAFileThatIsGone() throws SQLException {
    theirs("deleted_from_table:%t");
    lake.tamper("UPDATE ducklake_data_file SET end_snapshot = " + (base + 1));

    CommitConflictException conflict =
        catchThrowableOfType(CommitConflictException.class, () -> mine(delete()));

    assertThat(conflict).hasMessageContaining("delete rows of data file " + fileId);
  }

  /** DuckDB leaves an insert against an alter open; we do not. */
  @Test
  void alterAgainstDropAlterAndInsert() throws SQLException {
    List<Change> alters =
        List.of(
            new Change.AddColumn(table, List.of(), ColumnSpec.of("x", Scalar.INT32)),
            new Change.DropColumn(table, List.of("j")),
            new Change.RenameColumn(table, List.of("j"), "jj"),
            new Change.RetypeColumn(table, List.of("j"), Scalar.INT64),
            new Change.SetPartitioning(table, List.of(PartitionKey.identity("k"))));
    for (Change alter : alters) {
      conflicts(
          alter,
          "dropped_table:%t",
          "altered_table:%t",
          "inserted_into_table:%t",
          "inlined_insert:%t");
    }
  }

  @Test
  void createAgainstTheSameNameAndItsSchema() throws SQLException {
    Change create =
        new Change.CreateTable(new TableName("s", "new"), List.of(K), List.of(), IfExists.REFUSE);
    conflicts(create, "created_table:\"S\".\"NEW\"", "created_view:\"s\".\"new\"");
    conflicts(
        new Change.RenameTable(table, "new"), "created_table:\"s\".\"new\"", "dropped_table:%t");
    conflicts(new Change.CreateSchema("q", IfExists.REFUSE), "created_schema:\"q\"");
    passes(create, "created_table:\"s\".\"other\"", "created_table:\"r\".\"new\"");
  }

  @Test
  void createInADroppedSchema() throws SQLException {
    lake.commit(new Change.CreateSchema("gone", IfExists.REFUSE));
    base++;
    lake.commit(new Change.DropSchema("gone"));

    CommitConflictException conflict =
        catchThrowableOfType(
            CommitConflictException.class,
            () ->
                mine(
                    new Change.CreateTable(
                        new TableName("gone", "t"), List.of(K), List.of(), IfExists.REFUSE)));

    assertThat(conflict).hasMessageContaining("dropped_schema:");
  }

  @Test
  void dropAgainstDropAndWhatWasMadeInTheSchema() throws SQLException {
    conflicts(new Change.DropTable(table), "dropped_table:%t");
    conflicts(
        new Change.DropSchema("s"),
        "created_table:\"s\".\"x\"",
        "created_view:\"s\".\"x\"",
        "created_scalar_macro:\"s\".\"m\"");
  }

  @Test
  @DisplayName("writer bug 13: a change kind that we do not know is a conflict that names it")
  void bug13UnknownKindsConflict() throws SQLException {
    conflicts(insert(), "sorted_table:%t", "compacted_into:77", "reshaped_table:9");
  }

  @Test
  void expiredHistoryIsAConflict() throws SQLException {
    theirs("created_schema:\"z\"");
    theirs("created_schema:\"y\"");
    lake.tamper("DELETE FROM ducklake_snapshot_changes WHERE snapshot_id = " + (base + 1));

    CommitConflictException conflict =
        catchThrowableOfType(CommitConflictException.class, () -> mine(insert()));

    assertThat(conflict).hasMessageContaining("snapshots since then have expired");
  }
}
