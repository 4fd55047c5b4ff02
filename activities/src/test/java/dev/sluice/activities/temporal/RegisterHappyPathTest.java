package dev.sluice.activities.temporal;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generations that are as they should be. */
class RegisterHappyPathTest {

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
  void firstGenerationMakesTheTable() throws Exception {
    Source source = path.newSource("invoices");
    path.write(
        source, 100, "part-0.parquet", "SELECT 1 AS id, 'a' AS name UNION ALL SELECT 2, NULL");
    path.write(source, 100, "deep/er/part-1.parquet", "SELECT 3 AS id, 'c' AS name");

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.rows()).isEqualTo(3);
    assertThat(result.files()).isEqualTo(2);
    assertThat(path.duckDb("SELECT * FROM " + source.sql() + " ORDER BY id"))
        .containsExactly(List.of("1", "a"), asList("2", null), List.of("3", "c"));
    assertThat(path.scan(source))
        .containsExactlyInAnyOrder(List.of("1", "a"), asList("2", null), List.of("3", "c"));
    SourceJob attempt = path.attempts(source).getFirst();
    assertThat(attempt.status()).isEqualTo(JobStatus.COMPLETED);
    assertThat(attempt.snapshotId()).isEqualTo(result.snapshotId());
    assertThat(path.eventKinds(source)).containsExactly(EventKind.COMPLETED, EventKind.RUNNING);
  }

  @Test
  void secondGenerationKeepsTheTableAndTheOldSnapshot() throws Exception {
    Source source = path.newSource("charges");
    path.write(source, 100, "a.parquet", "SELECT range AS id, 'old' AS v FROM range(10)");
    path.write(source, 200, "a.parquet", "SELECT range AS id, 'new' AS v FROM range(7)");
    RegisterResult first = path.run(source.trigger(100));
    RegisterResult second = path.run(source.trigger(200));

    assertThat(second.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(path.publications(source))
        .extracting(publication -> publication.tableId())
        .hasSize(2)
        .containsOnly(path.publications(source).getFirst().tableId());
    assertThat(path.duckDb("SELECT count(*), min(v), max(v), max(id) FROM " + source.sql()))
        .containsExactly(List.of("7", "new", "new", "6"));
    assertThat(
            path.duckDb(
                "SELECT count(*), min(v), max(v), max(id) FROM %s AT (VERSION => %d)"
                    .formatted(source.sql(), first.snapshotId())))
        .containsExactly(List.of("10", "old", "old", "9"));
  }

  @Test
  void filesWithoutRowsCountButAreNotRegistered() throws Exception {
    Source source = path.newSource("refunds");
    path.write(source, 100, "full.parquet", "SELECT 1 AS id");
    path.write(source, 100, "empty.parquet", "SELECT 1 AS id LIMIT 0");

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.files()).isEqualTo(1);
    assertThat(path.duckDb("SELECT * FROM " + source.sql())).containsExactly(List.of("1"));
  }

  @Test
  void emptyGenerationPublishesAnEmptyTable() throws Exception {
    Source source = path.newSource("disputes");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id");
    path.write(source, 200, "a.parquet", "SELECT 1 AS id LIMIT 0");
    path.run(source.trigger(100));

    RegisterResult result = path.run(source.trigger(200));

    assertThat(result.reason()).isNull();
    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.rows()).isEqualTo(0);
    assertThat(path.duckDb("SELECT * FROM " + source.sql())).isEmpty();
    assertThat(path.scan(source)).isEmpty();
    assertThat(path.eventKinds(source)).contains(EventKind.EMPTY);
  }

  @Test
  void emptyFirstGenerationMakesAnEmptyTable() throws Exception {
    Source source = path.newSource("payouts");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id, 'x' AS v LIMIT 0");

    RegisterResult result = path.run(source.trigger(100));

    assertThat(result.reason()).isNull();
    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(path.duckDb("SELECT column_name FROM (DESCRIBE %s)".formatted(source.sql())))
        .containsExactly(List.of("id"), List.of("v"));
  }

  @Test
  @DisplayName("8.2 invariant 5: the same attempt twice gives one table and one job outcome")
  void invariant5LiveGenerationIsAnsweredAndNotRepeated() throws Exception {
    Source source = path.newSource("customers");
    path.write(source, 100, "a.parquet", "SELECT 1 AS id");
    RegisterResult first = path.run(source.trigger(100));

    RegisterResult again = path.run(source.trigger(100));

    assertThat(again.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(again.snapshotId()).isEqualTo(first.snapshotId());
    assertThat(again.reason()).isEqualTo("already published as snapshot " + first.snapshotId());
    assertThat(path.attempts(source)).hasSize(1);
    assertThat(path.publications(source)).hasSize(1);
    assertThat(path.duckDb("SELECT * FROM " + source.sql())).containsExactly(List.of("1"));
    assertThat(path.eventKinds(source).getFirst()).isEqualTo(EventKind.DUPLICATE);
  }
}
