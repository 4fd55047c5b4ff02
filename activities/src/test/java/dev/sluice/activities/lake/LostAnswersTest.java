package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.lake.WriteResult.Outcome;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.error.CommitOutcomeUnknownException;
import dev.sluice.embedded.CommitFate;
import dev.sluice.embedded.ConnectionCutter;
import dev.sluice.embedded.ConnectionCutter.PlannedCommit;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The answer to a write's COMMIT does not come. Whether it was carried out is what the commit log
 * says; rows are there once.
 */
class LostAnswersTest {

  private static final TableName T = new TableName("main", "t");
  private static final RowSource ROWS =
      new RowSource.Select("SELECT range + 100 AS k, 'new' AS v FROM range(3)");

  @TempDir Path folder;
  private WriteLake lake;
  private ConnectionCutter cutter;
  private LakeTables tables;

  @BeforeEach
  void createLake() throws SQLException {
    lake = WriteLake.own(folder);
    lake.run("CREATE TABLE t AS SELECT range AS k, 'old' AS v FROM range(10)");
    cutter = ConnectionCutter.before(lake.database);
    tables =
        new LakeTables(
            Catalog.open(cutter.database().dataSource(), "public"),
            lake.store(),
            lake.files(),
            WriteSettings.in(folder.resolve("write")));
  }

  @AfterEach
  void closeLake() throws SQLException {
    cutter.close();
    lake.close();
  }

  /** Writes; {@link #carryOut} and {@link #rowsAfter} say what each is. */
  enum Write {
    INSERT,
    DELETE,
    UPDATE,
    UPSERT,
    TRUNCATE
  }

  private static WriteResult carryOut(Write write, LakeTables tables) {
    return switch (write) {
      case INSERT -> tables.insert(InsertRequest.of(T, ROWS));
      case DELETE -> tables.delete(T, RowCondition.sql("k < 4"), CommitNote.NONE);
      case UPDATE ->
          tables.update(UpdateRequest.of(T, Map.of("v", "'new'"), RowCondition.sql("k < 4")));
      case UPSERT ->
          tables.upsert(
              UpsertRequest.of(
                  T,
                  new RowSource.Select("SELECT range + 8 AS k, 'new' AS v FROM range(5)"),
                  List.of("k")));
      case TRUNCATE -> tables.truncate(T, CommitNote.NONE);
    };
  }

  /** Old and new rows when it was carried out once on 10 old ones. */
  private static List<@Nullable String> rowsAfter(Write write) {
    return switch (write) {
      case INSERT -> row("10", "3");
      case DELETE -> row("6", "0");
      case UPDATE -> row("6", "4");
      case UPSERT -> row("8", "5");
      case TRUNCATE -> row("0", "0");
    };
  }

  private void assertDoneOnce(Write write, long before) throws Exception {
    assertThat(lake.rows("SELECT count(*) FILTER (v = 'old'), count(*) FILTER (v = 'new') FROM t"))
        .containsExactly(rowsAfter(write));
    assertThat(lake.newest()).isEqualTo(before + 1);
    assertThat(orphans()).isEmpty();
    lake.assertAgreesEverywhere();
  }

  private List<List<@Nullable String>> orphans() throws SQLException {
    return lake.rows(
        "SELECT path FROM ducklake_delete_orphaned_files('lake', cleanup_all => true, dry_run =>"
            + " true)");
  }

  @ParameterizedTest
  @EnumSource(Write.class)
  void aCommitWhoseAnswerIsLostIsFoundAgain(Write write) throws Exception {
    long before = lake.newest();
    cutter.nextCommitOf("ducklake_snapshot_changes", CommitFate.CUT_AFTER);

    WriteResult result = carryOut(write, tables);

    assertThat(result.snapshotId()).isEqualTo(before + 1);
    assertThat(result.outcome()).isEqualTo(Outcome.COMMITTED);
    assertDoneOnce(write, before);
  }

  @ParameterizedTest
  @EnumSource(Write.class)
  void aCommitThatWasLostIsMadeAgain(Write write) throws Exception {
    long before = lake.newest();
    cutter.nextCommitOf("ducklake_snapshot_changes", CommitFate.CUT_BEFORE);

    WriteResult result = carryOut(write, tables);

    assertThat(result.outcome()).isEqualTo(Outcome.COMMITTED);
    assertDoneOnce(write, before);
  }

  /** A server that cannot be reached any more once the answer is lost. */
  private LakeTables downAfter(PlannedCommit lost) {
    DataSource working = cutter.database().dataSource();
    DataSource failing =
        (DataSource)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> {
                  if (lost.isUnderWay()) {
                    throw new SQLException("the server is down", "08001");
                  }
                  return method.invoke(working, arguments);
                });
    return new LakeTables(
        Catalog.open(failing, "public"),
        lake.store(),
        lake.files(),
        WriteSettings.in(folder.resolve("write")));
  }

  @Test
  void whatStaysUnknownKeepsItsObjectsAndTheSameBatchAnswersLater() throws Exception {
    InsertRequest batch = InsertRequest.of(T, ROWS).asBatch("batch-1");
    long before = lake.newest();
    PlannedCommit lost = cutter.nextCommitOf("ducklake_snapshot_changes", CommitFate.CUT_AFTER);
    LakeTables unlucky = downAfter(lost);

    assertThatThrownBy(() -> unlucky.insert(batch))
        .isInstanceOf(CommitOutcomeUnknownException.class)
        .hasMessageContaining("main.t");
    WriteResult later = lake.tables.insert(batch);

    assertThat(later.outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
    assertThat(later.snapshotId()).isEqualTo(before + 1);
    assertDoneOnce(Write.INSERT, before);
  }

  @Test
  void whatStaysUnknownAndWasNotDoneIsDoneByTheSameBatchLater() throws Exception {
    InsertRequest batch = InsertRequest.of(T, ROWS).asBatch("batch-1");
    long before = lake.newest();
    PlannedCommit lost = cutter.nextCommitOf("ducklake_snapshot_changes", CommitFate.CUT_BEFORE);
    LakeTables unlucky = downAfter(lost);

    assertThatThrownBy(() -> unlucky.insert(batch))
        .isInstanceOf(CommitOutcomeUnknownException.class)
        .hasMessageContaining("main.t");
    // the objects of the commit that was none are nobody's, and the clean-up finds them
    assertThat(orphans()).hasSize(1);
    WriteResult later = lake.tables.insert(batch);

    assertThat(later.outcome()).isEqualTo(Outcome.COMMITTED);
    lake.run("CALL ducklake_delete_orphaned_files('lake', cleanup_all => true)");
    assertDoneOnce(Write.INSERT, before);
  }
}
