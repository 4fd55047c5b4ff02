package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.SamplePrepared;
import dev.sluice.worker.demo.Demo;
import dev.sluice.worker.demo.DemoReport;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Going back, holding a table where it is, and letting it go on, as an operator does it. */
class RollbackCommandTest {

  private static final String INVOICES = "insights_data_imports_team_1.stripe_invoices";
  private static final String CUSTOMERS = "insights_data_imports_team_1.stripe_customers";
  private static final String SUBSCRIPTIONS = "insights_data_imports_team_1.stripe_subscriptions";
  private static final String SUBSCRIPTIONS_SOURCE =
      "stripe-subscriptions-0198d000-3333-7a00-8000-00000000c003";
  private static final String CUSTOMERS_SOURCE =
      "stripe-customers-0198d000-1111-7a00-8000-00000000c001";

  private static Demo demo;
  private static DemoReport report;
  private static String config;

  @BeforeAll
  static void importTwoGenerations(@TempDir Path folder) throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open(List.of())) {
      SamplePrepared sample = SamplePrepared.inFolder(session, folder);
      sample.writeFirstGeneration();
      sample.writeSecondGeneration();
    }
    demo = Demo.start(folder, null, line -> {});
    report = demo.run();
    config = demo.stack().configurationFile().toString();
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  private static CliRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config");
    all.add(config);
    return CliRun.of(all.toArray(String[]::new));
  }

  private static JsonNode generations(String table) throws IOException {
    CliRun run = run("generations", table, "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out()).get("generations");
  }

  @Test
  void anEarlierGenerationComesBackAndTheListSaysSo() throws IOException {
    assertThat(report.allPublished()).isTrue();
    JsonNode before = generations(INVOICES);
    assertThat(before).hasSize(2);
    String first = before.get(1).get("generation").asText();

    CliRun rollback = run("rollback", INVOICES, "--to", first, "--json");

    assertThat(rollback.exitCode()).as(rollback.err()).isZero();
    JsonNode answer = new ObjectMapper().readTree(rollback.out());
    assertThat(answer.get("status").asText()).isEqualTo("completed");
    assertThat(answer.get("rows").asLong()).isEqualTo(before.get(1).get("rows").asLong());
    JsonNode after = generations(INVOICES);
    assertThat(after).hasSize(3);
    assertThat(after.get(0).get("live").asBoolean()).isTrue();
    assertThat(after.get(0).get("generation").asText()).isEqualTo(first);
    assertThat(after.get(0).get("restores").asLong())
        .isEqualTo(before.get(1).get("snapshot").asLong());
    assertThat(after.get(2).get("readable").asBoolean()).isTrue();
    assertThat(run("generations", INVOICES).out()).contains("live, rollback to ");

    CliRun again = run("rollback", INVOICES, "--to", first);
    assertThat(again.exitCode()).isZero();
    assertThat(again.out()).contains("was published already").contains("nothing was changed");
  }

  @Test
  void theSameRollbackTwiceAtOnceIsCarriedOutOnceAndAnsweredTwice() throws IOException {
    String first = generations(CUSTOMERS).get(1).get("generation").asText();
    int before = generations(CUSTOMERS).size();

    List<CompletableFuture<CliRun>> both =
        Stream.generate(
                () ->
                    CompletableFuture.supplyAsync(
                        () -> run("rollback", CUSTOMERS, "--to", first, "--key", "INC-8")))
            .limit(2)
            .toList();

    assertThat(both.stream().map(CompletableFuture::join))
        .allSatisfy(run -> assertThat(run.exitCode()).as(run.out() + run.err()).isZero());
    assertThat(generations(CUSTOMERS)).hasSize(before + 1);
  }

  @Test
  void anUnknownGenerationIsRefusedWithItsReason() {
    CliRun run = run("rollback", CUSTOMERS, "--to", "nothing");

    assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED.code());
    assertThat(run.err())
        .contains("cannot go back to generation nothing; it was never published to it");
  }

  @Test
  void anUnknownTableIsRefused() {
    CliRun run = run("rollback", "s.unknown", "--to", "1");

    assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED.code());
    assertThat(run.err()).contains("no source publishes to it");
  }

  @Test
  void aPausedTableIsHeldAndGoesOnWithTheNewestThatWasSkipped() throws IOException {
    CliRun pause = run("pause", CUSTOMERS, "--reason", "INC-7");
    assertThat(pause.exitCode()).as(pause.err()).isZero();
    assertThat(pause.out()).contains("source is paused since ").contains(": INC-7");
    int before = generations(CUSTOMERS).size();

    CliRun resume = run("resume", CUSTOMERS, "--json");

    assertThat(resume.exitCode()).as(resume.err()).isZero();
    assertThat(new ObjectMapper().readTree(resume.out()).get("reason").asText()).isEqualTo("INC-7");
    assertThat(new ObjectMapper().readTree(resume.out()).get("started").isNull())
        .as("nothing was asked for meanwhile")
        .isTrue();
    assertThat(generations(CUSTOMERS)).hasSize(before);
    assertThat(run("resume", CUSTOMERS).out()).contains("was not paused");
    run("pause", CUSTOMERS, "--reason", "INC-9");
    assertThat(run("resume", CUSTOMERS).out())
        .contains("goes on; it was paused since ")
        .contains(": INC-9")
        .doesNotContain("is paused");
  }

  @Test
  void whatWasSkippedWhilePausedStartsWithResuming() throws IOException {
    String generation = Instant.now().getEpochSecond() + "_0123abcd";
    String folder = "subscriptions__query_" + generation;
    run("pause", SUBSCRIPTIONS);
    CliRun skipped =
        run("start", "register", "--source", SUBSCRIPTIONS_SOURCE, "--folder", folder, "--wait");
    assertThat(skipped.out()).contains("skipped").contains("source is paused since ");

    CliRun resume = run("resume", SUBSCRIPTIONS, "--json");

    assertThat(new ObjectMapper().readTree(resume.out()).get("started").asText())
        .isEqualTo(generation);
  }

  @Test
  void aSetOfWhatIsNotNewerIsPublishedAsAWholeOrNotAtAll() throws IOException {
    String folder = "customers__query_1_0123abcd";

    CliRun run =
        run(
            "start",
            "publish-set",
            "--member",
            CUSTOMERS_SOURCE + "=" + folder,
            "--name",
            "old",
            "--wait",
            "--json");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.CONFLICT.code());
    JsonNode answer = new ObjectMapper().readTree(run.out());
    assertThat(answer.get("status").asText()).isEqualTo("stale");
    assertThat(answer.get("members")).hasSize(1);
    assertThat(answer.get("snapshot").isNull()).isTrue();
  }

  @Test
  void aMemberThatCannotBeReadIsAMistakeInUsage() {
    CliRun run = run("start", "publish-set", "--member", "nothing");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE.code());
    assertThat(run.err()).contains("member nothing: cannot be read; required: SOURCE=FOLDER");
  }

  @Test
  void aSetIsRefusedByTheRulesOfATriggerByItself() {
    CliRun unknown = run("start", "publish-set", "--member", "nobody=x__query_1_0123abcd");
    CliRun alone =
        run("start", "register", "--source", "nobody", "--folder", "x__query_1_0123abcd");
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.REFUSED.code()).isEqualTo(alone.exitCode());
    assertThat(unknown.err()).isEqualTo(alone.err());

    String member = CUSTOMERS_SOURCE + "=customers__query_1_0123abcd";
    CliRun absurd =
        run(
            "start",
            "publish-set",
            "--member",
            member,
            "--order",
            CUSTOMERS_SOURCE + "=delta_version:9000000000000000");
    assertThat(absurd.exitCode()).isEqualTo(ExitCode.REFUSED.code());
    assertThat(absurd.err()).contains("delta_version").contains("is absurd");
    assertThat(
            run("start", "publish-set", "--member", member, "--order", "other=delta_version:1")
                .err())
        .contains("order of other: it is no member of the set");
  }
}
