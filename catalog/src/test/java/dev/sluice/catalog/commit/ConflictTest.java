package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.IfExists;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.error.CommitConflictException;
import dev.sluice.catalog.error.InvalidChangeException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was planned on a snapshot against what real DuckDB, or another of us, committed since: its
 * words in the change log are those that {@link ConflictMatrixTest} goes through pair by pair.
 */
class ConflictTest {

  private static final TableRef TABLE = TableRef.name("s", "t");
  private static final TableName NAME = new TableName("s", "t");
  private static final List<ColumnSpec> COLUMNS =
      List.of(ColumnSpec.of("id", Scalar.INT32), ColumnSpec.of("v", Scalar.VARCHAR));

  @TempDir Path folder;
  private TestLake lake;
  private long base;
  private long tableId;

  @BeforeEach
  void makeTable() throws SQLException {
    lake = TestLake.create(folder);
    lake.commit(
        TestLake.publish(
            NAME, COLUMNS, lake.file("SELECT i::INT AS id, 'a' AS v FROM range(20) x(i)")));
    base = lake.catalog.reader().latest().id();
    tableId = lake.catalog.reader().view(lake.catalog.reader().latest()).table(NAME).id();
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private void conflicts(String theirs, String word, Change mine) throws SQLException {
    lake.duck.execute(theirs);
    assertConflict(word, mine);
  }

  private void assertConflict(String word, Change mine) throws SQLException {
    String before = lake.ask("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')");
    assertThatThrownBy(() -> planned(mine))
        .isInstanceOfSatisfying(
            CommitConflictException.class,
            e -> {
              assertThat(e.conflict()).isTrue();
              assertThat(e.retryable()).isFalse();
              assertThat(e.outcomeKnown()).isTrue();
            })
        .hasMessageContaining("conflicts with a commit made since snapshot " + base)
        .hasMessageContaining(word);
    assertThat(lake.ask("SELECT max(snapshot_id) FROM ducklake_snapshots('lake')"))
        .isEqualTo(before);
  }

  private CommitResult planned(Change... mine) {
    return lake.catalog.commit(CommitRequest.of("test", new Base.PlannedOn(base), List.of(mine)));
  }

  private void passes(String theirs, Change mine) throws SQLException {
    lake.duck.execute(theirs);
    assertThatCode(() -> planned(mine)).doesNotThrowAnyException();
  }

  private Change append() throws SQLException {
    return new Change.AddDataFiles(TABLE, List.of(newFile()));
  }

  private NewDataFile newFile() throws SQLException {
    return lake.file("SELECT 100::INT AS id, 'n' AS v");
  }

  private Change delete() throws SQLException {
    return delete(lastFile());
  }

  private long lastFile() throws SQLException {
    return Long.parseLong(lake.sql("SELECT max(data_file_id) FROM ducklake_data_file"));
  }

  private Change delete(long fileId) {
    // only the catalog's decision is asked for here, the object is never read
    return new Change.AddDeleteFiles(
        TABLE, List.of(new NewDeleteFile(fileId, folder + "/data/x-delete.parquet", 1, 10, null)));
  }

  @Test
  void appendAgainstAppendCommutes() throws SQLException {
    passes("INSERT INTO s.t VALUES (50, 'theirs')", append());
    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("22");
  }

  @Test
  void appendAgainstChangesOfOtherTablesPasses() throws SQLException {
    passes("CREATE TABLE s.u (x INT); INSERT INTO s.u VALUES (1); DROP TABLE s.u", append());
  }

  @Test
  void appendAgainstDropConflicts() throws SQLException {
    conflicts("DROP TABLE s.t", "dropped_table", append());
  }

  @Test
  void appendByIdAgainstDropConflicts() throws SQLException {
    conflicts(
        "DROP TABLE s.t",
        "dropped_table:" + tableId,
        new Change.AddDataFiles(TableRef.id(tableId), List.of(newFile())));
  }

  @Test
  void appendByNameAgainstReplacementByAnotherTableConflicts() throws SQLException {
    conflicts(
        "CREATE OR REPLACE TABLE s.t (id INT, v VARCHAR)", "created_table:\"s\".\"t\"", append());
  }

  @Test
  void appendAgainstAlterConflicts() throws SQLException {
    conflicts("ALTER TABLE s.t ADD COLUMN w INT", "altered_table:" + tableId, append());
  }

  @Test
  void appendAgainstDeleteConflicts() throws SQLException {
    conflicts("DELETE FROM s.t WHERE id = 3", "deleted_from_table:" + tableId, append());
  }

  @Test
  void appendAgainstInlinedDeleteConflicts() throws SQLException {
    try (var inlining = lake.attachInlining()) {
      inlining.execute("DELETE FROM s.t WHERE id = 3");
    }
    assertConflict("inlined_delete:" + tableId, append());
  }

  @Test
  void appendAgainstMergePasses() throws SQLException {
    lake.commit(append());
    base = lake.catalog.reader().latest().id();
    passes("CALL ducklake_merge_adjacent_files('lake')", append());
  }

  @Test
  void appendAgainstOurOverwriteConflicts() throws SQLException {
    lake.commit(TestLake.publish(NAME, COLUMNS, newFile()));
    assertConflict("deleted_from_table:" + tableId, append());
  }

  @Test
  void deleteAgainstInsertConflicts() throws SQLException {
    conflicts("INSERT INTO s.t VALUES (50, 'theirs')", "inserted_into_table", delete());
  }

  @Test
  void deleteAgainstInlinedInsertConflicts() throws SQLException {
    try (var inlining = lake.attachInlining()) {
      inlining.execute("INSERT INTO s.t VALUES (50, 'theirs')");
    }
    assertConflict("inlined_insert", delete());
  }

  @Test
  void deleteAgainstInlineFlushConflicts() throws SQLException {
    try (var inlining = lake.attachInlining()) {
      inlining.execute("INSERT INTO s.t VALUES (50, 'theirs')");
      base = lake.catalog.reader().latest().id();
      inlining.execute("CALL ducklake_flush_inlined_data('lake')");
    }
    assertConflict("inline_flush", delete());
  }

  @Test
  void deleteAgainstDeleteOfTheSameFileConflicts() throws SQLException {
    conflicts("DELETE FROM s.t WHERE id = 3", "delete rows of data file " + lastFile(), delete());
  }

  @Test
  void deleteAgainstDeleteOfAnotherFilePasses() throws SQLException {
    lake.commit(append());
    base = lake.catalog.reader().latest().id();
    long other = lastFile();
    lake.duck.execute("DELETE FROM s.t WHERE id = 3");
    assertThatCode(() -> planned(delete(other))).doesNotThrowAnyException();
  }

  @Test
  void deleteAgainstMergeConflicts() throws SQLException {
    lake.commit(append());
    base = lake.catalog.reader().latest().id();
    conflicts("CALL ducklake_merge_adjacent_files('lake')", "merge_adjacent:" + tableId, delete());
  }

  @Test
  void deleteAgainstRewriteConflicts() throws SQLException {
    lake.duck.execute("DELETE FROM s.t WHERE id < 15");
    base = lake.catalog.reader().latest().id();
    conflicts(
        "CALL ducklake_rewrite_data_files('lake', delete_threshold => 0.1)",
        "rewrite_delete:" + tableId,
        delete());
  }

  @Test
  void renameAgainstCreationOfTheNameConflicts() throws SQLException {
    conflicts(
        "CREATE TABLE s.U (x INT)",
        "created_table:\"s\".\"U\"",
        new Change.RenameTable(TableRef.id(tableId), "u"));
  }

  @Test
  void createTableAgainstCreationOfTheNameConflicts() throws SQLException {
    conflicts("CREATE TABLE s.n (x INT)", "created_table:\"s\".\"n\"", create());
  }

  @Test
  void createTableAgainstRenameToTheNameConflicts() throws SQLException {
    conflicts("ALTER TABLE s.t RENAME TO n", "created_table:\"s\".\"n\"", create());
  }

  @Test
  void createTableAgainstCreationOfAViewOfTheNameConflicts() throws SQLException {
    conflicts("CREATE VIEW s.n AS SELECT 1 AS x", "created_view:\"s\".\"n\"", create());
  }

  @Test
  void createTableAgainstDropOfItsSchemaConflicts() throws SQLException {
    conflicts("DROP TABLE s.t; DROP SCHEMA s", "dropped_schema", create());
  }

  @Test
  void createTableAgainstReplacementOfItsSchemaConflicts() throws SQLException {
    conflicts("DROP TABLE s.t; DROP SCHEMA s; CREATE SCHEMA s", "dropped_schema", create());
  }

  private static Change create() {
    return new Change.CreateTable(new TableName("s", "n"), COLUMNS, List.of(), IfExists.REFUSE);
  }

  @Test
  void createSchemaAgainstCreationOfTheNameConflicts() throws SQLException {
    conflicts(
        "CREATE SCHEMA other",
        "created_schema:\"other\"",
        new Change.CreateSchema("Other", IfExists.REFUSE));
  }

  @Test
  void dropSchemaAgainstCreationInItConflicts() throws SQLException {
    lake.duck.execute("CREATE SCHEMA e");
    base = lake.catalog.reader().latest().id();
    conflicts("CREATE TABLE e.x (i INT)", "created_table:\"e\".\"x\"", new Change.DropSchema("e"));
  }

  @Test
  void dropSchemaAgainstCreationOfAViewOrMacroInItConflicts() throws SQLException {
    lake.duck.execute("CREATE SCHEMA e; CREATE SCHEMA f");
    base = lake.catalog.reader().latest().id();
    lake.duck.execute("CREATE VIEW e.x AS SELECT 1 AS i; CREATE MACRO f.m(a) AS a + 1");
    assertConflict("created_view:\"e\".\"x\"", new Change.DropSchema("e"));
    assertConflict("created_scalar_macro:\"f\".\"m\"", new Change.DropSchema("f"));
  }

  @Test
  @DisplayName("writer bug 25: a schema with a table, view or macro is not dropped")
  void dropSchemaThatHoldsSomethingIsRefused() throws SQLException {
    lake.duck.execute(
        "CREATE SCHEMA e; CREATE VIEW e.x AS SELECT 1 AS i;"
            + " CREATE SCHEMA f; CREATE MACRO f.m(a) AS a + 1");
    for (String[] schema :
        List.of(
            new String[] {"s", "table t"},
            new String[] {"e", "view x"},
            new String[] {"f", "macro m"})) {
      assertThatThrownBy(() -> lake.commit(new Change.DropSchema(schema[0])))
          .isInstanceOf(InvalidChangeException.class)
          .hasMessageContaining(
              "schema %s: cannot be dropped; it still holds %s".formatted(schema[0], schema[1]));
    }
  }

  @Test
  void expiredBaseIsAConflict() throws SQLException {
    lake.commit(append());
    lake.duck.execute("CALL ducklake_expire_snapshots('lake', versions => [%d])".formatted(base));
    assertThatThrownBy(() -> planned(append()))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("the snapshot that this was planned on does not exist (expired)");
  }

  @Test
  void baseOfTheFutureIsAConflict() {
    base = 999;
    assertThatThrownBy(() -> planned(append()))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("does not exist");
  }

  @Test
  @DisplayName("a DuckDB insert that was open during our overwrite is refused, never lost")
  void duckDbInsertAgainstOurOverwriteIsRefusedByDuckDb() throws SQLException {
    lake.duck.execute("BEGIN; INSERT INTO s.t VALUES (60, 'late')");
    lake.commit(TestLake.publish(NAME, COLUMNS, lake.fileByOther("SELECT 1::INT AS id, 'z' AS v")));
    assertThatThrownBy(() -> lake.duck.execute("COMMIT"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Transaction conflict");
    assertThat(lake.ask("FROM s.t")).isEqualTo("1 z");
  }

  @Test
  void duckDbDeleteAgainstOurAppendIsRefusedByDuckDb() throws SQLException {
    lake.duck.execute("BEGIN; DELETE FROM s.t WHERE id = 3");
    lake.commit(
        new Change.AddDataFiles(
            TABLE, List.of(lake.fileByOther("SELECT 200::INT AS id, 'n' AS v"))));
    assertThatThrownBy(() -> lake.duck.execute("COMMIT"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Transaction conflict");
    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("21");
  }
}
