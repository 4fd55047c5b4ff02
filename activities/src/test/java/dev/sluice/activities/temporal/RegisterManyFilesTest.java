package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.api.history.v1.HistoryEvent;
import java.io.IOException;
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
  private static final int MANY_FILES = 20_000;
  private static final int KEY_LENGTH = 200;

  /** What the Temporal service takes. */
  private static final int LARGEST_PAYLOAD_BYTES = 2 << 20;

  /** Far below the service's 50 MB: what is in a history does not grow with the files. */
  private static final int LARGEST_HISTORY_BYTES = 1 << 20;

  private static final int MOST_EVENTS = 1000;
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
    Path folder = newFolder(source);
    for (int file = 0; file < FILES; file++) {
      Files.write(folder.resolve("f-%04d.parquet".formatted(file)), content);
    }
    long before = path.catalog.reader().latest().id();
    int statisticsBefore = path.catalogRows().rows("ducklake_file_column_stats").size();

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
    assertThat(path.catalogRows().rows("ducklake_file_column_stats"))
        .hasSize(statisticsBefore + FILES * COLUMNS);
  }

  @Test
  @DisplayName("WFL-04: 20,000 files with keys of 200 characters leave a small history")
  void wfl04_twentyThousandFilesWithLongKeysLeaveASmallHistory() throws Exception {
    Source source = path.newSource("wfl04");
    byte[] content = path.parquet("SELECT 1 AS id");
    Path folder = newFolder(source);
    String ending = ".parquet";
    for (int file = 0; file < MANY_FILES; file++) {
      String number = "%05d".formatted(file);
      String padding = "k".repeat(KEY_LENGTH - number.length() - ending.length());
      Files.write(folder.resolve(padding + number + ending), content);
    }

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    assertThat(result.files()).isEqualTo(MANY_FILES);
    assertThat(result.rows()).isEqualTo(MANY_FILES);
    assertThat(path.attempts(source)).hasSize(1);
    List<HistoryEvent> history =
        path.client().fetchHistory(WorkflowIds.of(source.trigger(100))).getEvents();
    assertThat(history.getFirst().getWorkflowExecutionStartedEventAttributes())
        .as("the only run")
        .satisfies(started -> assertThat(started.getContinuedExecutionRunId()).isEmpty());
    assertThat(history).hasSizeLessThan(MOST_EVENTS);
    // an event is larger than any payload in it
    assertThat(history)
        .allSatisfy(
            event -> assertThat(event.getSerializedSize()).isLessThan(LARGEST_PAYLOAD_BYTES));
    assertThat(history.stream().mapToLong(HistoryEvent::getSerializedSize).sum())
        .isLessThan(LARGEST_HISTORY_BYTES);
  }

  private static Path newFolder(Source source) throws IOException {
    StorageLocation location = path.sourceRoot.resolve(source.folder(100));
    return Files.createDirectories(((StorageLocation.Local) location).directory());
  }
}
