package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.SampleDelta;
import dev.sluice.embedded.SamplePrepared;
import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.config.SourceSettings;
import dev.sluice.worker.demo.Demo;
import dev.sluice.worker.wiring.HomeStores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
  private static final String TICKETS = "insights_data_imports_team_2.zendesk_tickets";
  private static final String TICKETS_ID = "0198d000-4444-7a00-8000-00000000c004";

  private static Demo demo;
  private static AttemptKey attempt;

  @BeforeAll
  static void start(@TempDir Path folder) throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open(List.of())) {
      SamplePrepared.inFolder(session, folder).writeFirstGeneration();
      SampleDelta.inFolder(session, folder).write();
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
  void aCopyThatDiffersFromItsSourceIsShownAndTheOldVersionStays() {
    ObjectStore tickets = tickets();
    String file = "channel=mail/part-00003.snappy.parquet";
    String other = file.replace("00003", "00009");
    tickets.put(other, read(tickets, file));
    // the log counts a row that the file does not have
    String commit =
        new String(read(tickets, log(1)), StandardCharsets.UTF_8)
            .replace(file, other)
            .replace(":500}", ":501}");
    tickets.put(log(2), commit.getBytes(StandardCharsets.UTF_8));

    CliRun copy =
        CliRun.of(
            "start",
            "copy-import",
            "--source",
            "zendesk-tickets-" + TICKETS_ID,
            "--wait",
            "--config",
            demo.stack().configurationFile().toString());

    assertThat(copy.exitCode()).as(copy.out()).isNotZero();
    CliRun shown = checks(TICKETS);
    assertThat(shown.exitCode()).as(shown.err()).isZero();
    assertThat(shown.out()).contains("failed: 3 of 4 checks passed");
    assertThat(shown.out().lines().map(String::strip).toList().get(2))
        .matches("row_count +FAILED +2501 +2500 +.*");
    assertThat(
            CliRun.of(
                    "scan",
                    TICKETS,
                    "--count",
                    "--config",
                    demo.stack().configurationFile().toString())
                .out())
        .isEqualTo("2000" + System.lineSeparator());
  }

  private static String log(int version) {
    return "_delta_log/%020d.json".formatted(version);
  }

  private static byte[] read(ObjectStore store, String key) {
    return store.read(key, 0, Math.toIntExact(store.head(key).sizeBytes()));
  }

  /** The folder of the copied table, where its importer left it. */
  private static ObjectStore tickets() {
    Configuration configuration = demo.stack().connections().configuration();
    String source =
        configuration
            .findSource(new SourceRef(SampleDelta.TEAM, TICKETS_ID))
            .map(SourceSettings::folder)
            .orElseThrow();
    return demo.stack()
        .connections()
        .store(
            configuration.lakes().keySet().iterator().next(),
            StorageLocation.parse(source).resolve("tickets"));
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
