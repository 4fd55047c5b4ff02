package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.workflows.RegisterResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A generation of thousands of small files. How long it takes is for the benchmark to say. */
class RegisterManyFilesTest {

  private static final int FILES = 5000;
  private static final int COLUMNS = 50;

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @Test
  @DisplayName("REG-36: 5,000 files of 10 rows and 50 columns are one snapshot")
  void reg36FiveThousandFilesAreOneSnapshot() throws Exception {
    Source source = path.newSource("reg36");
    String columns =
        IntStream.range(0, COLUMNS)
            .mapToObj(column -> "range + " + column + " AS c" + column)
            .collect(Collectors.joining(", "));
    byte[] content = path.parquet("SELECT " + columns + " FROM range(10)");
    Path folder = ((StorageLocation.Local) path.sourceRoot.resolve(source.folder(100))).directory();
    Files.createDirectories(folder);
    for (int file = 0; file < FILES; file++) {
      Files.write(folder.resolve("f-%04d.parquet".formatted(file)), content);
    }
    long before = path.catalog.reader().latest().id();

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    assertThat(result.files()).isEqualTo(FILES);
    assertThat(result.rows()).isEqualTo(10L * FILES);
    assertThat(result.snapshotId()).isEqualTo(before + 1);
    assertThat(path.attempts(source)).hasSize(1);
    assertThat(
            path.duckDb(
                "SELECT count(*) FROM ducklake_list_files('lake', '%s', schema => '%s')"
                    .formatted(source.published(), source.schema())))
        .containsExactly(List.of(Integer.toString(FILES)));
    assertThat(path.catalogRows().rows("ducklake_file_column_stats")).hasSize(FILES * COLUMNS);
  }
}
