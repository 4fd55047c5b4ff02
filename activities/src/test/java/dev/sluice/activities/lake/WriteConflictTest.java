package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.query.DataFiles;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.error.CommitConflictException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody else commits between a write's look at the table and its commit. */
class WriteConflictTest {

  private static final TableName T = new TableName("main", "t");

  @TempDir Path folder;
  private WriteLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = WriteLake.ofDuckDb(folder);
    lake.run(
        "CALL lake.set_option('data_inlining_row_limit', 0)",
        "CREATE TABLE t (k INT, v INT)",
        "INSERT INTO t SELECT range, 0 FROM range(10)");
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  /** Runs a statement of DuckDB's whenever a plan reads its files, so many times. */
  private LakeTables disturbed(String statement, int times, int plans) {
    AtomicInteger left = new AtomicInteger(times);
    DataFiles files = lake.files();
    DataFiles watched =
        new DataFiles() {
          @Override
          public Lease lease(Collection<WantedFile> wanted) {
            Lease lease = files.lease(wanted);
            if (left.getAndDecrement() > 0) {
              try {
                lake.run(statement);
              } catch (SQLException e) {
                lease.close();
                throw new IllegalStateException(e);
              }
            }
            return lease;
          }

          @Override
          public long leaseBytes() {
            return files.leaseBytes();
          }
        };
    return new LakeTables(
        lake.catalog,
        lake.store(),
        watched,
        new WriteSettings(folder.resolve("write"), WriteLimits.DEFAULTS, plans));
  }

  @Test
  void aDeleteIsPlannedAgainAndSeesWhatCameMeanwhile() throws Exception {
    LakeTables tables = disturbed("INSERT INTO t VALUES (20, 0)", 2, 5);

    WriteResult result = tables.delete(T, RowCondition.sql("k IN (3, 20)"), CommitNote.NONE);

    assertThat(result.deleted()).isEqualTo(3);
    assertThat(lake.value("SELECT count(*) FROM t")).isEqualTo("9");
    lake.assertAgreesEverywhere();
  }

  @Test
  void anUpdateThatLosesEveryTimeIsAConflictAndLeavesNothing() throws Exception {
    LakeTables tables = disturbed("INSERT INTO t VALUES (20, 0)", 2, 2);
    int before = lake.objects().size();

    assertThatThrownBy(
            () ->
                tables.update(UpdateRequest.of(T, Map.of("v", "v + 1"), RowCondition.sql("k = 3"))))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("inserted_into_table");

    assertThat(lake.objects()).hasSize(before + 2);
    assertThat(lake.value("SELECT sum(v) FROM t")).isEqualTo("0");
  }

  @Test
  void anUpsertNeverAddsAKeyThatCameMeanwhile() throws Exception {
    LakeTables tables = disturbed("INSERT INTO t VALUES (20, 5)", 1, 5);

    WriteResult result =
        tables.upsert(
            UpsertRequest.of(
                T,
                new RowSource.Select("SELECT 20 AS k, 9 AS v UNION ALL SELECT 5, 9"),
                List.of("k")));

    assertThat(result.updated()).isEqualTo(2);
    assertThat(result.inserted()).isZero();
    assertThat(lake.rows("SELECT k, v FROM t WHERE v > 0 ORDER BY k"))
        .containsExactly(row("5", "9"), row("20", "9"));
    lake.assertAgreesEverywhere();
  }
}
