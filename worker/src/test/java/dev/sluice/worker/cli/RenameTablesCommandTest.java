package dev.sluice.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.publish.TableRenamer;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.NamingPolicy;
import dev.sluice.workflows.naming.ProducerOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Renaming the tables of a team as an operator does it; no worker runs. */
class RenameTablesCommandTest {

  private static final String SCHEMA = "insights_data_imports_team_2";

  private final PostgresDatabase database = EmbeddedDatabase.shared().newDatabase();

  @TempDir private Path folder;

  @BeforeEach
  void migrate() throws IOException {
    configure("copy_v1");
    assertThat(run("migrate").exitCode()).isZero();
  }

  private void configure(String policy) throws IOException {
    Files.writeString(
        config(),
        """
        mode: development
        lakes:
          main:
            database: {host: %s, port: %d, name: %s, user: %s, password: %s, ssl-mode: disable}
            storage: {data-path: "%s"}
        teams: {2: {naming: %s}}
        sources:
          ads: {team: 2, id: s-1, type: TikTokAds, table: ads}
          inv: {team: 2, id: s-2, type: Stripe, table: invoices}
        """
            .formatted(
                database.host(),
                database.port(),
                database.name(),
                database.user(),
                database.password(),
                folder.resolve("lake").toUri(),
                policy));
  }

  private Path config() {
    return folder.resolve("sluice.yaml");
  }

  private CliRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config");
    all.add(config().toString());
    return CliRun.of(all.toArray(String[]::new));
  }

  private Connections connect() {
    return Connections.of(Configuration.read(config(), System.getenv()));
  }

  /** An attempt that has chosen its target; the outcome ends it. */
  private void attempt(boolean ended) {
    RegisterTrigger trigger =
        new RegisterTrigger(
            2,
            "job-1",
            "s-1",
            "TikTokAds",
            null,
            "ads",
            "ads__query_1",
            new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, 1),
            null,
            null);
    try (Connections connections = connect()) {
      AttemptRef opened =
          connections
              .home()
              .jobs()
              .open(
                  new AttemptOpening(
                      WorkflowPath.REGISTER, trigger, Instant.EPOCH, "workflow", "run", "default"));
      AttemptKey key = new AttemptKey(WorkflowPath.REGISTER, new SourceRef(2, "s-1"), opened);
      connections.home().jobs().noteTarget(key, "main", SCHEMA, "tiktokads_ads");
      if (ended) {
        connections
            .home()
            .jobs()
            .close(
                key,
                new RegisterResult(
                    RegisterStatus.FAILED,
                    "the test ended it",
                    null,
                    trigger.attemptId(),
                    trigger.generation().value(),
                    SCHEMA,
                    "tiktokads_ads",
                    null,
                    null,
                    null,
                    null));
      }
    }
  }

  @Test
  void aDryRunListsWhatChangesAndApplyDoesIt() throws IOException {
    CliRun dry = run("rename-tables", "--team", "2", "--to-policy", "legacy_batch_v1");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .containsPattern("tiktokads_ads +tik_tok_ads_ads +s-1 +not yet")
        .contains("1 of 2 tables of team 2 change their names: copy_v1 to legacy_batch_v1.")
        .contains("Dry run: nothing was renamed");
    assertThat(run("why", SCHEMA + ".tiktokads_ads").exitCode()).isZero();

    attempt(true);
    CliRun applied =
        run("rename-tables", "--team", "2", "--to-policy", "legacy_batch_v1", "--apply", "--json");
    assertThat(applied.exitCode()).as(applied.err()).isZero();
    JsonNode tree = new ObjectMapper().readTree(applied.out());
    assertThat(tree.path("state").asText()).isEqualTo("done");
    assertThat(tree.path("tables").get(0).path("newName").asText()).isEqualTo("tik_tok_ads_ads");

    CliRun former = run("why", SCHEMA + ".tiktokads_ads");
    assertThat(former.exitCode()).isEqualTo(3);
    assertThat(former.err())
        .contains("it was renamed; use insights_data_imports_team_2.tik_tok_ads_ads");
    CliRun now = run("why", SCHEMA + ".tik_tok_ads_ads");
    assertThat(now.exitCode()).as(now.err()).isZero();
    assertThat(now.out()).contains("renamed").contains("by naming policy legacy_batch_v1");
  }

  @Test
  void theFormerPolicyIsRefusedAtTheStartUntilItIsUndone() throws IOException {
    attempt(true);
    run("rename-tables", "--team", "2", "--to-policy", "copy_v2", "--apply");

    CliRun refused = run("migrate");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err())
        .contains("teams.2.naming is copy_v1 and was copy_v2; set teams.2.naming: copy_v2")
        .contains("./sluice rename-tables --team 2 --to-policy copy_v1");

    CliRun undone = run("rename-tables", "--team", "2", "--undo", "--apply");
    assertThat(undone.exitCode()).as(undone.err()).isZero();
    assertThat(undone.out()).contains("have the names of copy_v1 now");
    assertThat(run("migrate").exitCode()).isZero();
  }

  @Test
  void whatRunsStopsItAndIsNamed() throws IOException {
    attempt(false);

    CliRun stopped =
        run("rename-tables", "--team", "2", "--to-policy", "legacy_batch_v1", "--apply", "--json");

    assertThat(stopped.exitCode()).isEqualTo(4);
    JsonNode tree = new ObjectMapper().readTree(stopped.out());
    assertThat(tree.path("state").asText()).isEqualTo("stopped");
    assertThat(tree.path("problems").get(0).asText()).contains("it is being brought in");
  }

  @Test
  void oneThatWasLeftBehindIsShownAndFinished() {
    try (Connections connections = connect()) {
      TableRenamer renamer =
          new TableRenamer(
              new TableRenamer.Home(
                  connections.home().provisioning(),
                  connections.home().names(),
                  connections.home().jobs(),
                  connections.home().renames()),
              connections.require("main").catalog(),
              connections.require("main").state());
      connections.home().renames().begin(renamer.plan(2, NamingPolicy.LEGACY_BATCH_V1).request());
    }

    CliRun shown = run("rename-tables", "--team", "2");
    assertThat(shown.exitCode()).isEqualTo(4);
    assertThat(shown.out()).contains("Finish it: ./sluice rename-tables --team 2 --apply");
    CliRun finished = run("rename-tables", "--team", "2", "--apply");
    assertThat(finished.exitCode()).as(finished.err()).isZero();
    assertThat(finished.out())
        .contains("An earlier call had begun it.")
        .contains("1 tables of team 2 have the names of legacy_batch_v1 now, at snapshot");
  }

  @Test
  void wrongWordsAreRefusedWithTheRemedy() {
    CliRun both = run("rename-tables", "--team", "2", "--to-policy", "copy_v2", "--undo");
    assertThat(both.exitCode()).isEqualTo(2);
    assertThat(both.err()).contains("--undo and --to-policy exclude each other");
    CliRun neither = run("rename-tables", "--team", "2");
    assertThat(neither.exitCode()).isEqualTo(2);
    CliRun unknown = run("rename-tables", "--team", "2", "--to-policy", "copy_v9");
    assertThat(unknown.exitCode()).isEqualTo(3);
    assertThat(unknown.err()).contains("use one of copy_v1, legacy_batch_v1, copy_v2");
    CliRun nothing = run("rename-tables", "--team", "2", "--undo");
    assertThat(nothing.exitCode()).isEqualTo(3);
    assertThat(nothing.err()).contains("its tables were never renamed");
    CliRun done = run("rename-tables", "--team", "2", "--to-policy", "copy_v1");
    assertThat(done.exitCode()).isZero();
    assertThat(done.out()).contains("The tables of team 2 have the names of copy_v1.");
  }
}
