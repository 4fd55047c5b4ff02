package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.SamplePrepared;
import dev.sluice.worker.demo.Demo;
import dev.sluice.worker.wiring.HomeStores;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksCommandTest {

  private static final String INVOICES = "insights_data_imports_team_1.stripe_invoices";

  private static Demo demo;
  private static AttemptKey attempt;

  @BeforeAll
  static void start(@TempDir Path folder) throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open(List.of())) {
      SamplePrepared.inFolder(session, folder).writeFirstGeneration();
    }
    demo = Demo.start(folder, null, line -> {});
    assertThat(demo.run().allPublished()).isTrue();
    attempt =
        home().jobs().newest(20).stream()
            .filter(job -> "stripe_invoices".equals(job.table()))
            .map(SourceJob::key)
            .findFirst()
            .orElseThrow();
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  private static HomeStores home() {
    return demo.stack().connections().home();
  }

  private static CliRun checks(String... arguments) {
    List<String> all = new ArrayList<>(List.of("checks"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--config", demo.stack().configurationFile().toString()));
    return CliRun.of(all.toArray(String[]::new));
  }

  @Test
  void theLatestAttemptIsShownWithFailedChecksFirst() throws IOException {
    CliRun passed = checks(INVOICES);
    assertThat(passed.exitCode()).as(passed.err()).isZero();
    assertThat(passed.out())
        .startsWith("attempt " + attempt.attempt().key() + ", completed: 3 of 3 checks passed")
        .contains("  row_count   passed");

    List<CheckResult> results = new ArrayList<>(home().checks().of(attempt));
    results.add(
        new CheckResult("zero", false, "1.5", "1", 0.25, "a query", "SELECT $team_id", null));
    results.add(new CheckResult("zz", false, null, null, 0, "a query", null, "no such column"));
    home().checks().store(attempt, results);

    CliRun failed = checks(INVOICES, "--attempt", attempt.attempt().attemptId());
    assertThat(failed.exitCode()).as(failed.err()).isZero();
    assertThat(failed.out().lines().map(String::strip).toList().subList(1, 5))
        .satisfiesExactly(
            header ->
                assertThat(header).matches("CHECK +RESULT +EXPECTED +OBSERVED +TOLERANCE +REMARK"),
            first -> assertThat(first).matches("zero +FAILED +1 +1\\.5 +0\\.25 +a query"),
            second -> assertThat(second).matches("zz +FAILED +- +- +- +no such column"),
            third -> assertThat(third).startsWith("byte_count  passed"));

    JsonNode told =
        new ObjectMapper()
            .readTree(checks(INVOICES, "--json", "--attempt", attempt.attempt().key()).out())
            .path("attempts")
            .get(0);
    assertThat(told.path("passed").asBoolean()).isFalse();
    assertThat(told.path("checks")).hasSize(5);
    assertThat(told.path("checks").get(0).path("statement").asText()).isEqualTo("SELECT $team_id");
  }

  @Test
  void whatIsNotThereIsRefused() {
    CliRun noTable = checks("a.b");
    assertThat(noTable.exitCode()).isEqualTo(3);
    assertThat(noTable.err()).contains("table a.b: no source publishes to it");

    CliRun noAttempt = checks(INVOICES, "--attempt", "job:9");
    assertThat(noAttempt.exitCode()).isEqualTo(3);
    assertThat(noAttempt.err())
        .contains("table " + INVOICES + ": it has no attempt job:9; none of its sources made it;");
  }
}
