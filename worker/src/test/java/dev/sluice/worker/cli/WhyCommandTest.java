package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.SourceJobs.Ending;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.SamplePrepared;
import dev.sluice.worker.config.SourceSettings;
import dev.sluice.worker.demo.Demo;
import dev.sluice.worker.gate.FlagKey;
import dev.sluice.worker.wiring.HomeStores;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every answer of {@code why}, as an operator gets it, with a worker behind it. */
class WhyCommandTest {

  private static final String INVOICES = "insights_data_imports_team_1.stripe_invoices";
  private static final String LATER = "1785399999_00000000";

  private static Demo demo;
  private static String config;
  private static SourceSettings source;

  @BeforeAll
  static void start(@TempDir Path folder) throws SQLException {
    try (DuckLakeSession session = DuckLakeSession.open(List.of())) {
      SamplePrepared.inFolder(session, folder).writeFirstGeneration();
    }
    demo = Demo.start(folder, null, line -> {});
    config = demo.stack().configurationFile().toString();
    source =
        demo.stack().connections().configuration().sources().values().stream()
            .filter(each -> each.table().equals("invoices"))
            .findFirst()
            .orElseThrow();
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

  private static String why() throws IOException {
    CliRun text = run("why", INVOICES);
    CliRun json = run("why", INVOICES, "--json");
    assertThat(text.exitCode()).as(text.err()).isZero();
    JsonNode told = new ObjectMapper().readTree(json.out()).path("sources").get(0);
    String sentence = told.path("why").asText();
    assertThat(text.out())
        .startsWith(INVOICES + ": " + told.path("readiness").asText() + " - " + sentence);
    return sentence;
  }

  private static CliRun register(String folder, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("start", "register", "--source", source.name(), "--folder", folder, "--wait"));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  private static void flag(String answer) throws IOException {
    Files.writeString(
        Path.of(config).resolveSibling("flags.yaml"),
        FlagKey.IMPORTS_REGISTRATION.key() + ": {default: " + answer + "}");
  }

  @Test
  void everySentenceIsToldOnTheWay() throws Exception {
    assertThat(why()).isEqualTo("it was never triggered");

    flag("false");
    CliRun closed = register("invoices__query_" + LATER);
    assertThat(closed.exitCode()).as(closed.err()).isEqualTo(3);
    assertThat(why())
        .isEqualTo(
            "nothing was begun; the gate was closed: flag "
                + FlagKey.IMPORTS_REGISTRATION.key()
                + " is off for team 1");
    CliRun closedSet =
        run(
            "start",
            "publish-set",
            "--member",
            source.name() + "=invoices__query_" + LATER,
            "--wait");
    assertThat(closedSet.exitCode()).as(closedSet.err()).isEqualTo(3);
    assertThat(closedSet.out()).contains("skipped").doesNotContain("null.null");

    flag("true");
    assertThat(demo.run().allPublished()).isTrue();
    assertThat(why()).matches("generation \\S+ was published at snapshot \\d+");

    CliRun stale = register("invoices__query_1_00000000");
    assertThat(stale.exitCode()).as(stale.err()).isZero();
    assertThat(stale.out()).contains("stale");
    assertThat(why()).startsWith("generation 1_00000000 was superseded by a newer one: ");

    CliRun failed = register("invoices__query_" + LATER);
    assertThat(failed.exitCode()).as(failed.err()).isEqualTo(3);
    assertThat(why()).startsWith("generation " + LATER + " failed: ");

    CliRun refused = register("customers__query_" + LATER);
    assertThat(refused.exitCode()).as(refused.err()).isEqualTo(3);
    assertThat(why()).contains("; since then a trigger was refused: ");

    AttemptKey running = open("7");
    assertThat(why())
        .startsWith("generation " + folderToken("7") + " is being brought in since ")
        .doesNotContain("no worker");
    home().reaperList().confirm(running, "stage land", Duration.ofSeconds(-1));
    assertThat(why()).contains(", and no worker has looked after it since ");

    waits("8");
    assertThat(why())
        .startsWith(
            "generation "
                + folderToken("8")
                + " waits behind generation "
                + folderToken("7")
                + " since ");

    home()
        .triggers()
        .settle(
            WorkflowPath.REGISTER,
            running.source(),
            trigger("8").attemptId(),
            "run-7",
            RegisterStatus.STALE,
            "a test");
    home().jobs().end(running, lost("7"), Ending.REAPED);
    assertThat(why())
        .startsWith("generation " + folderToken("7") + " was lost and was closed by the reaper at ")
        .endsWith(": its run was terminated; trigger it again");
  }

  private static HomeStores home() {
    return demo.stack().connections().home();
  }

  private static String folderToken(String digit) {
    return "178540000" + digit + "_00000000";
  }

  private static RegisterTrigger trigger(String digit) {
    String folder = "invoices__query_" + folderToken(digit);
    return new RegisterTrigger(
        source.ref().team(),
        "job-" + digit,
        source.ref().schemaId(),
        source.type(),
        source.prefix(),
        source.table(),
        folder,
        ProducerOrder.ofFolder(folder),
        null,
        null);
  }

  /** As a run in a namespace that the stack's own reaper does not look after. */
  private static AttemptKey open(String digit) {
    RegisterTrigger trigger = trigger(digit);
    return new AttemptKey(
        WorkflowPath.REGISTER,
        new SourceRef(trigger.team(), trigger.sourceSchemaId()),
        home()
            .jobs()
            .open(
                new AttemptOpening(
                    WorkflowPath.REGISTER,
                    trigger,
                    Instant.now(),
                    "workflow",
                    "run-7",
                    "elsewhere")));
  }

  private static void waits(String digit) {
    home()
        .triggers()
        .record(
            new TriggerRecord(
                WorkflowPath.REGISTER,
                trigger(digit),
                TriggerDisposition.PENDING,
                null,
                "workflow",
                "run-7",
                "elsewhere",
                Instant.now()));
  }

  private static RegisterResult lost(String digit) {
    return new RegisterResult(
        RegisterStatus.FAILED,
        "its run was terminated; trigger it again",
        FailureTypes.ATTEMPT_FENCED,
        trigger(digit).attemptId(),
        folderToken(digit),
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
