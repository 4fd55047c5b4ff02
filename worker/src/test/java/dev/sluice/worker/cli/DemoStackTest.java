package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.worker.demo.Demo;
import dev.sluice.worker.demo.DemoReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The demo's stack while it runs, and every reading command against it. */
class DemoStackTest {

  private static final String SCHEMA = "insights_data_imports_team_1";
  private static final String INVOICES = SCHEMA + ".stripe_invoices";

  private static Demo demo;
  private static DemoReport report;
  private static String config;

  @BeforeAll
  static void importTheSample() {
    demo = Demo.start(null, null, line -> {});
    report = demo.run();
    config = demo.stack().configurationFile().toString();
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  @Test
  void everyTableOfTheImportIsPublished() {
    assertThat(report.allPublished()).isTrue();
    assertThat(report.tables())
        .extracting(each -> each.table() + " " + each.rows() + " " + each.files())
        .containsExactlyInAnyOrder(
            "stripe_customers 1200 1",
            "stripe_invoices 10500 7",
            "stripe_subscriptions 1600 4",
            "zendesk_tickets 2000 4",
            "tickets_by_channel 3 1");
  }

  @Test
  void theCopiedTableHasItsPartitionColumnAndItsNulls() throws SQLException {
    DuckDbReferee.assumeAvailable();
    try (DuckLakeSession duckDb = DuckLakeSession.open()) {
      for (String statement : report.attach()) {
        if (!statement.startsWith("INSTALL")) {
          duckDb.execute(statement);
        }
      }

      assertThat(
              duckDb.queryText(
                  "SELECT channel, count(*), min(id) FROM"
                      + " insights_data_imports_team_2.zendesk_tickets GROUP BY 1 ORDER BY 1"))
          .containsExactly(
              List.of("chat", "500", "500"),
              List.of("mail", "1000", "0"),
              Arrays.asList(null, "500", "1000"));
    }
  }

  @Test
  void duckDbAttachesWithThePrintedStatementsAndCountsTheSame() throws SQLException {
    DuckDbReferee.assumeAvailable();
    try (DuckLakeSession duckDb = DuckLakeSession.open()) {
      for (String statement : report.attach()) {
        if (!statement.startsWith("INSTALL")) {
          duckDb.execute(statement);
        }
      }

      assertThat(duckDb.valueText("SELECT count(*) FROM " + INVOICES)).isEqualTo("10500");
      assertThat(duckDb.valueText("SELECT count(DISTINCT _ph_partition_key) FROM " + INVOICES))
          .isEqualTo("6");
    }
  }

  @Test
  void scanPrintsRowsOfOurOwnReading() throws IOException {
    CliRun count = CliRun.of("scan", INVOICES, "--count", "--config", config);
    CliRun rows =
        CliRun.of(
            "scan",
            SCHEMA,
            "stripe_invoices",
            "columns",
            "id,status",
            "where",
            "id",
            "in",
            "(4,5)",
            "--json",
            "--config",
            config);

    assertThat(count).isEqualTo(new CliRun(0, "10500" + System.lineSeparator(), ""));
    assertThat(rows.exitCode()).as(rows.err()).isZero();
    JsonNode document = new ObjectMapper().readTree(rows.out());
    assertThat(document.path("rows")).hasSize(2);
    assertThat(document.path("rows").toString()).contains("[\"4\",\"open\"]", "[\"5\",\"void\"]");
  }

  @Test
  void scanRefusesWhatIsNotThere() {
    CliRun table = CliRun.of("scan", SCHEMA, "invoices", "--config", config);
    CliRun snapshot = CliRun.of("scan", INVOICES, "--at", "99", "--config", config);
    CliRun condition = CliRun.of("scan", INVOICES, "--where", "id ==", "--config", config);

    assertThat(table.exitCode()).isEqualTo(3);
    assertThat(table.err()).contains("stripe_invoices");
    assertThat(snapshot.exitCode()).isEqualTo(3);
    assertThat(snapshot.err()).contains("99");
    assertThat(condition.exitCode()).isEqualTo(2);
    assertThat(condition.err()).contains("at character 6");
  }

  @Test
  void jobsListsTheAttempts() throws IOException {
    CliRun text = CliRun.of("jobs", "--config", config);
    CliRun json = CliRun.of("jobs", "--json", "--config", config);

    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.out()).contains("STATUS", INVOICES, "completed", "1785365521_5be1a0c7");
    JsonNode jobs = new ObjectMapper().readTree(json.out()).path("jobs");
    assertThat(jobs).isNotEmpty();
    assertThat(jobs.get(0).path("status").asText()).isEqualTo("completed");
  }

  @Test
  void whyExplainsATable() throws IOException {
    CliRun text = CliRun.of("why", INVOICES, "--config", config);
    CliRun json = CliRun.of("why", SCHEMA, "stripe_invoices", "--json", "--config", config);
    CliRun unknown = CliRun.of("why", SCHEMA + ".nothing", "--config", config);

    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.out())
        .contains(INVOICES + ": up_to_date", "latest", "10500 rows at snapshot", "completed");
    assertThat(new ObjectMapper().readTree(json.out()).path("sources")).hasSize(1);
    assertThat(unknown.exitCode()).isEqualTo(3);
    assertThat(unknown.err()).contains("no source publishes to it");
  }

  @Test
  void generationsListsWhatWasPublished() throws IOException {
    CliRun text = CliRun.of("generations", INVOICES, "--config", config);
    CliRun json = CliRun.of("generations", INVOICES, "--json", "--config", config);

    assertThat(text.exitCode()).as(text.err()).isZero();
    assertThat(text.out()).contains("1785365521_5be1a0c7", "live", "10500");
    JsonNode generation = new ObjectMapper().readTree(json.out()).path("generations").get(0);
    assertThat(generation.path("live").asBoolean()).isTrue();
    assertThat(generation.path("rows").asLong()).isEqualTo(10_500);
  }

  @Test
  void startRegisterFollowsAGenerationThatFailsForItsReason() {
    CliRun run =
        CliRun.of(
            "start",
            "register",
            "--source",
            "stripe-invoices-0198d000-2222-7a00-8000-00000000c002",
            "--folder",
            "invoices__query_1785399999_00000000",
            "--wait",
            "--config",
            config);

    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(3);
    assertThat(run.out()).contains("generation 1785399999_00000000: failed");
  }

  @Test
  void startCopyImportFollowsAVersionThatIsThereAlready() {
    CliRun run =
        CliRun.of(
            "start",
            "copy-import",
            "--source",
            "zendesk-tickets-0198d000-4444-7a00-8000-00000000c004",
            "--version",
            "0",
            "--wait",
            "--config",
            config);

    assertThat(run.out()).as(run.err()).contains("stale").contains("zendesk_tickets");
  }

  @Test
  void startCopyModelFollowsAModelToItsOutcome() throws IOException {
    String location = "s3://%s/models/team_2/tickets_by_channel".formatted(sourceBucket());

    CliRun first = copyModel("0198d000-6666-7a00-8000-00000000c006", "Tickets again", location);
    CliRun again = copyModel("0198d000-6666-7a00-8000-00000000c006", "Tickets again", location);
    CliRun wrong = copyModel("0198d000-6666-7a00-8000-00000000c007", "No such", location + "_not");

    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out())
        .contains("insights_data_modeling_team_2.tickets_again")
        .contains("generation v0: completed, 3 rows in 1 files of");
    assertThat(again.out())
        .as(again.err())
        .contains("stale; ", "published is delta_version:0", "nothing needs to be done");
    assertThat(wrong.exitCode()).as(wrong.out() + wrong.err()).isEqualTo(3);
    assertThat(wrong.out() + wrong.err()).contains("_delta_log");
    assertThat(
            CliRun.of(
                    "scan",
                    "insights_data_modeling_team_2.tickets_again",
                    "--count",
                    "--config",
                    config)
                .out()
                .strip())
        .isEqualTo("3");
  }

  /** As the demo's configuration names it. */
  private static String sourceBucket() throws IOException {
    Matcher named =
        Pattern.compile("s3://([^/]+)/team_2_").matcher(Files.readString(Path.of(config)));
    assertThat(named.find()).isTrue();
    return named.group(1);
  }

  private static CliRun copyModel(String query, String label, String location) {
    return CliRun.of(
        "start",
        "copy-model",
        "--team",
        "2",
        "--query",
        query,
        "--label",
        label,
        "--location",
        location,
        "--wait",
        "--config",
        config);
  }

  @Test
  void migratingAgainChangesNothing() {
    CliRun run = CliRun.of("migrate", "--config", config);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("home database", "lake main");
  }
}
