package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.SchemaPolicy;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.error.InvalidChangeException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a DuckDB did to a published table is refused or named, whatever trace it left. */
class ForeignChangesTest {

  private static final TableName NAME = new TableName("s", "t");
  private static final List<ColumnSpec> COLUMNS =
      List.of(ColumnSpec.of("id", Scalar.INT32), ColumnSpec.of("v", Scalar.VARCHAR));

  @TempDir Path folder;
  private TestLake lake;

  @BeforeEach
  void publishTwoFiles() throws SQLException {
    lake = TestLake.create(folder);
    lake.commit(TestLake.publish(NAME, COLUMNS, rows(0, 5), rows(10, 15)));
  }

  @AfterEach
  void closeLake() throws SQLException {
    lake.close();
  }

  private NewDataFile rows(int from, int to) throws SQLException {
    return lake.file(
        "SELECT i::INT AS id, 'v' || i AS v FROM range(%d, %d) x(i)".formatted(from, to));
  }

  private void assertRefused(String found) throws SQLException {
    NewDataFile file = rows(100, 101);
    assertThatThrownBy(() -> lake.commit(TestLake.publish(NAME, COLUMNS, file)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining(
            "table s.t: was changed by others since Sluice last published it; " + found);
  }

  /** Publishes over what is there and says what that dropped. */
  private Optional<String> replace(NewDataFile... files) {
    List<Optional<String>> noted = new ArrayList<>();
    Change.ReplaceContent change =
        new Change.ReplaceContent(
            NAME,
            COLUMNS,
            List.of(),
            List.of(files),
            SchemaPolicy.SYNC,
            ForeignContent.REPLACE,
            null);
    lake.catalog.commit(
        new CommitRequest(
            "replace",
            null,
            new Base.Newest(),
            List.of(),
            List.of(change),
            List.of(context -> noted.add(context.replacedForeign(NAME))),
            "test",
            null));
    return noted.get(0);
  }

  @Test
  void deleteOfAllRowsOfAFileIsFoundThoughItLeavesNoDeleteFile() throws SQLException {
    lake.duck.execute("DELETE FROM s.t WHERE id < 10");

    assertRefused("1 data files were ended (");

    assertThat(replace(rows(100, 101))).get().asString().contains("1 data files were ended (");
    assertThat(lake.ask("FROM s.t")).isEqualTo("100 v100");
    assertThat(replace(rows(200, 201))).as("once named it is done with").isEmpty();
  }

  @Test
  void truncateIsFoundAndNamesEveryFile() throws SQLException {
    lake.duck.execute("TRUNCATE TABLE s.t");

    assertRefused("2 data files were ended (");
  }

  @Test
  void updateOfSomeRowsIsFoundByItsDeleteFileAndItsNewFile() throws SQLException {
    lake.duck.execute("UPDATE s.t SET v = 'theirs' WHERE id = 3");

    assertRefused("1 data files were added (");
    assertThat(replace(rows(100, 101)))
        .get()
        .asString()
        .contains("1 data files were added (", "1 delete files were added (");
  }

  @Test
  void updateOfAllRowsIsFoundByTheFilesItEnded() throws SQLException {
    lake.duck.execute("UPDATE s.t SET v = 'theirs'");

    assertThat(replace(rows(100, 101)))
        .get()
        .asString()
        .contains("data files were added (", "2 data files were ended (");
  }

  @Test
  void deleteIsFoundAlsoAfterItsSnapshotAndItsFilesHaveExpired() throws SQLException {
    lake.tamper(
        """
        INSERT INTO sluice.publication SELECT 'public', 's', 't', 1, table_id, 'register', 1, 'x',
          'job', 'generation', 'delta_version', 1, 'job:generation', 1, 10, 2, 1, now()
        FROM ducklake_table WHERE table_name = 't'
        """);
    lake.duck.execute("DELETE FROM s.t WHERE id < 10");
    lake.duck.execute("CALL ducklake_expire_snapshots('lake', older_than => now())");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file")).isEqualTo("1");

    assertRefused("5 of 10 published rows are gone, with the snapshots that removed them");
  }

  @Test
  void rewriteOfFilesWithDeletesIsFound() throws SQLException {
    lake.duck.execute("DELETE FROM s.t WHERE id IN (1, 2)");
    lake.duck.execute(
        "CALL ducklake_rewrite_data_files('lake', 't', schema => 's', delete_threshold => 0)");

    assertRefused("1 data files were added (");
  }

  @Test
  void mergeOfOurFilesIsNoChange() throws SQLException {
    lake.duck.execute("CALL ducklake_merge_adjacent_files('lake', 't', schema => 's')");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file")).isEqualTo("1");

    assertThat(replace(rows(100, 101))).isEmpty();
  }

  @Test
  void rowsThatOthersAddedAndTookBackAreNoChange() throws SQLException {
    lake.duck.execute("INSERT INTO s.t VALUES (77, 'theirs')");
    lake.duck.execute("DELETE FROM s.t WHERE id = 77");

    assertThat(replace(rows(100, 101))).isEmpty();
  }

  @Test
  void manyFilesAreCountedAndSomeAreNamed() throws SQLException {
    for (int i = 0; i < 13; i++) {
      lake.duck.execute("INSERT INTO s.t VALUES (%d, 'theirs')".formatted(i));
    }

    assertThat(replace(rows(100, 101)))
        .get()
        .asString()
        .startsWith("13 data files were added (")
        .endsWith(" and 3 more)");
  }
}
