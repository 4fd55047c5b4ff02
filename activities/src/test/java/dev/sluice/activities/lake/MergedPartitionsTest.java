package dev.sluice.activities.lake;

import static dev.sluice.activities.lake.WriteLake.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.catalog.TableName;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * DuckDB merges files of one partition only where they lie in folders of one name (ducklake-format
 * 10.3 calls folders cosmetic; its compactor ends in an internal error).
 */
class MergedPartitionsTest {

  private static final TableName T = new TableName("main", "t");

  @TempDir Path folder;
  private WriteLake lake;

  @BeforeEach
  void createLake() throws SQLException {
    lake = WriteLake.ofDuckDb(folder);
    lake.run("CALL lake.set_option('data_inlining_row_limit', 0)");
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private void insertInTurns() throws SQLException {
    String rows =
        "SELECT range::INT AS k, NULLIF('part ' || range % 3, 'part 2') AS p FROM range(6)";
    lake.insert(T, rows);
    lake.run("INSERT INTO t " + rows);
    lake.insert(T, rows);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void filesOfBothWritersAreMerged(String hiveFolders) throws Exception {
    lake.run(
        "CALL lake.set_option('hive_file_pattern', " + hiveFolders + ")",
        "CREATE TABLE t (k INT, p VARCHAR)",
        "ALTER TABLE t SET PARTITIONED BY (p)");
    insertInTurns();

    lake.run("CALL ducklake_merge_adjacent_files('lake')");

    assertThat(lake.rows("SELECT count(*) FROM ducklake_list_files('lake', 't')"))
        .containsExactly(row("3"));
    assertThat(lake.value("SELECT count(*) FROM t")).isEqualTo("18");
    lake.assertAgreesEverywhere();
  }

  @Test
  void soAreThoseOfATableThatIsNotPartitioned() throws Exception {
    lake.run("CREATE TABLE t (k INT, p VARCHAR)");
    insertInTurns();

    lake.run("CALL ducklake_merge_adjacent_files('lake')");

    assertThat(lake.rows("SELECT count(*) FROM ducklake_list_files('lake', 't')"))
        .containsExactly(row("1"));
    assertThat(lake.value("SELECT count(*) FROM t")).isEqualTo("18");
    assertThat(lake.objects()).anyMatch(object -> object.startsWith("main/t/data/"));
    lake.assertAgreesEverywhere();
  }
}
