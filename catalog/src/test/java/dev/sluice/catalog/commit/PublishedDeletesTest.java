package dev.sluice.catalog.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.embedded.DuckLakeSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content that comes with delete files: published together, kept, superseded, or refused. */
class PublishedDeletesTest {

  private static final TableName NAME = new TableName("s", "t");
  private static final List<ColumnSpec> COLUMNS = List.of(ColumnSpec.of("id", Scalar.INT64));
  private static final String ROWS = "SELECT range AS id FROM range(10)";

  @TempDir Path folder;
  private TestLake lake;

  @BeforeEach
  void createLake() throws Exception {
    lake = TestLake.create(folder);
  }

  @AfterEach
  void closeLake() throws Exception {
    lake.close();
  }

  /** The file with a delete file of these positions beside it. */
  private NewDataFile without(NewDataFile file, @Nullable String supersedes, int... positions)
      throws Exception {
    Path path = Path.of(file.path()).resolveSibling(UUID.randomUUID() + "-delete.parquet");
    StringBuilder rows = new StringBuilder();
    for (int position : positions) {
      rows.append(rows.isEmpty() ? "" : " UNION ALL ")
          .append("SELECT '%s' AS file_path, %d::BIGINT AS pos".formatted(file.path(), position));
    }
    try (DuckLakeSession writer = DuckLakeSession.open()) {
      writer.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(rows, path));
    }
    return file.with(
        new NewDataFile.Deletes(
            path.toString(), positions.length, Files.size(path), null, supersedes));
  }

  private static String deletesOf(NewDataFile file) {
    NewDataFile.Deletes deletes = file.deletes();
    assertThat(deletes).isNotNull();
    return deletes == null ? "" : deletes.path();
  }

  private void publish(NewDataFile... files) {
    lake.commit(TestLake.publish(NAME, COLUMNS, files));
  }

  private String deleteRows() throws Exception {
    return lake.sql(
        "SELECT begin_snapshot, end_snapshot, delete_count FROM ducklake_delete_file ORDER BY 1, 2");
  }

  @Test
  void rowsOfThePublishedDeleteFileAreGoneFromItsFirstSnapshotOn() throws Exception {
    publish(without(lake.file(ROWS), null, 1, 3));

    assertThat(lake.ask("SELECT count(*), sum(id), min(id), max(id) FROM s.t"))
        .isEqualTo("8 41 0 9");
    assertThat(lake.ask("SELECT count(*) FROM s.t WHERE id = 3")).isEqualTo("0");
    assertThat(deleteRows()).isEqualTo("1 null 2");
    assertThat(lake.sql("SELECT record_count FROM ducklake_table_stats")).isEqualTo("10");
  }

  @Test
  void aSharedFileKeepsItsDeleteFileToo() throws Exception {
    NewDataFile file = without(lake.file(ROWS), null, 1, 3);
    publish(file);

    publish(file, lake.file("SELECT 100::BIGINT AS id"));

    assertThat(deleteRows()).isEqualTo("1 null 2");
    assertThat(lake.ask("SELECT count(*), sum(id) FROM s.t")).isEqualTo("9 141");
    assertThat(lake.ask("SELECT count(*) FROM s.t AT (VERSION => 1)")).isEqualTo("8");
  }

  @Test
  void aSharedFileCanLoseFurtherRows() throws Exception {
    NewDataFile plain = lake.file(ROWS);
    publish(plain);
    NewDataFile first = without(plain, null, 9);
    publish(first);

    publish(without(plain, deletesOf(first), 0, 9));

    assertThat(deleteRows()).isEqualTo("2 3 1\n3 null 2");
    assertThat(lake.sql("SELECT count(*) FROM ducklake_data_file")).isEqualTo("1");
    assertThat(lake.ask("SELECT count(*), min(id), max(id) FROM s.t")).isEqualTo("8 1 8");
    assertThat(lake.ask("SELECT count(*), max(id) FROM s.t AT (VERSION => 2)")).isEqualTo("9 8");
    assertThat(lake.ask("SELECT count(*), max(id) FROM s.t AT (VERSION => 1)")).isEqualTo("10 9");
  }

  @Test
  void aSharedFileWhoseRowsComeBackHasToBeCopied() throws Exception {
    NewDataFile plain = lake.file(ROWS);
    publish(without(plain, null, 1, 3));

    for (NewDataFile restored : List.of(plain, without(plain, null, 4, 5, 6))) {
      InvalidChangeException refusal =
          catchThrowableOfType(InvalidChangeException.class, () -> publish(restored));
      assertThat(refusal.kind()).isEqualTo(InvalidChangeException.Kind.PATH_TAKEN);
      assertThat(refusal.paths()).containsExactly(plain.path());
      assertThat(refusal).hasMessageContaining("rows of it are deleted");
    }
    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("8");
  }

  @Test
  void anObjectIsTheDeleteFileOfOneRowForEver() throws Exception {
    NewDataFile first = without(lake.file(ROWS), null, 1);
    publish(first);
    publish(lake.file(ROWS));
    NewDataFile other = lake.file(ROWS);
    NewDataFile.Deletes used = first.deletes();
    assertThat(used).isNotNull();

    assertThatThrownBy(() -> publish(used == null ? other : other.with(used)))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("is or was registered");
    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("10");
  }

  @Test
  void whatADuckDbDeletesBesideThemIsForeign() throws Exception {
    NewDataFile file = without(lake.file(ROWS), null, 1, 3);
    publish(file);
    lake.duck.execute("DELETE FROM s.t WHERE id = 7");

    assertThatThrownBy(() -> publish(file))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("delete files were added");
  }

  @Test
  void appendedFilesBringTheirDeletesToo() throws Exception {
    publish(lake.file(ROWS));

    lake.append(NAME, without(lake.file(ROWS), null, 0));

    assertThat(lake.ask("SELECT count(*) FROM s.t")).isEqualTo("19");
  }

  @Test
  void moreRowsThanTheFileHasCannotBeDeleted() throws Exception {
    NewDataFile file = lake.file("SELECT 1::BIGINT AS id");

    assertThatThrownBy(() -> without(file, null, 0, 1))
        .hasMessageContaining("2 of 1 rows cannot be deleted");
  }
}
