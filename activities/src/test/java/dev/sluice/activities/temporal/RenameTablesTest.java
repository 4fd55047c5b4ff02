package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.jobs.TableRename;
import dev.sluice.activities.jobs.TableRenames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.publish.RenamePlan;
import dev.sluice.activities.publish.TableRenamer;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RollbackRequest;
import dev.sluice.workflows.RollbackWorkflow;
import dev.sluice.workflows.Workflows;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.NamingPolicy;
import io.temporal.client.WorkflowOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Renaming the tables of a team; every test has a team of its own. */
class RenameTablesTest {

  /** Under {@code copy_v1} stripe_adreport, under {@code legacy_batch_v1} stripe_ad_report. */
  private static final String CAMEL = "adReport";

  /** Under {@code copy_v1} stripe_ad_report, under {@code legacy_batch_v1} stripe_adareport. */
  private static final String AT = "ad@report";

  private static RegisterFixture path;
  private static TableRenames renames;
  private static TableRenamer renamer;
  private static long teams = 100;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
    renames = new TableRenames(path.homeState, path.events);
    renamer =
        new TableRenamer(
            new TableRenamer.Home(path.provisioning, path.names, path.jobs, renames),
            path.catalog,
            path.lakeState);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  private static long newTeam(String policy) {
    long team = ++teams;
    path.provisioning.put(
        new Provisioning.Team(
            team,
            RegisterFixture.LAKE,
            policy,
            "insights_data_imports_team_" + team,
            "insights_data_modeling_team_" + team));
    return team;
  }

  private static Source source(long team, String table) {
    Source source = new Source(team, "source-%d-%s".formatted(team, table.hashCode()), table);
    path.provision(source);
    return source;
  }

  private static void publish(Source source, long epoch, String select) throws SQLException {
    path.write(source, epoch, "a.parquet", select);
    RegisterResult result = path.run(source.trigger(epoch));
    assertThat(result.status()).as(result.reason()).isEqualTo(RegisterStatus.COMPLETED);
  }

  private static List<List<@Nullable String>> rows(Source source, String table, String at)
      throws SQLException {
    return path.duckDb(
        "SELECT id FROM lake.%s.%s%s ORDER BY id".formatted(source.schema(), table, at));
  }

  private static List<List<@Nullable String>> row(String value) {
    return List.of(List.of(value));
  }

  private static List<List<@Nullable String>> scan(Source source, String table) {
    return path.scan(
        ScanRequest.all(new TableName(source.schema(), table), path.catalog.reader().latest()));
  }

  private static Target target(Source source, String table) {
    return new Target(path.catalog.info().key(), source.schema(), table);
  }

  private static List<Publication> history(Source source, String table) {
    return path.lakeState.read(dsl -> Publications.history(dsl, target(source, table)));
  }

  private static TableRename rename(long team, NamingPolicy policy) {
    RenamePlan plan = renamer.plan(team, policy);
    assertThat(plan.problems()).isEmpty();
    return renamer.apply(plan);
  }

  @Test
  void allTablesGetTheirNewNamesInOneSnapshotAndKeepIdsAndHistory() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    Source at = source(team, AT);
    Source same = source(team, "same");
    publish(camel, 100, "SELECT 1 AS id");
    publish(at, 100, "SELECT 2 AS id");
    publish(same, 100, "SELECT 3 AS id");
    long before = path.catalog.reader().latest().id();
    long camelId = history(camel, "stripe_adreport").get(0).tableId();
    long atId = history(at, "stripe_ad_report").get(0).tableId();
    CatalogDump rows = path.catalogRows();

    RenamePlan plan = renamer.plan(team, NamingPolicy.LEGACY_BATCH_V1);
    assertThat(path.catalogRows().differences(rows)).as("a plan changes nothing").isEmpty();
    assertThat(plan.entries())
        .extracting(RenamePlan.Entry::oldName, RenamePlan.Entry::newName)
        .containsExactly(
            tuple("stripe_ad_report", "stripe_adareport"),
            tuple("stripe_adreport", "stripe_ad_report"));
    TableRename rename = renamer.apply(plan);

    assertThat(rename.state()).isEqualTo(TableRename.State.DONE);
    assertThat(rename.snapshotId()).isEqualTo(before + 1);
    assertThat(path.catalog.reader().latest().id()).isEqualTo(before + 1);
    assertThat(rows(camel, "stripe_ad_report", "")).isEqualTo(row("1"));
    assertThat(rows(at, "stripe_adareport", "")).isEqualTo(row("2"));
    assertThat(rows(same, "stripe_same", "")).isEqualTo(row("3"));
    String then = " AT (VERSION => %d)".formatted(before);
    assertThat(rows(camel, "stripe_adreport", then)).isEqualTo(row("1"));
    assertThat(rows(at, "stripe_ad_report", then)).isEqualTo(row("2"));
    assertThat(
            path.duckDb(
                "SELECT table_name FROM duckdb_tables() WHERE database_name = 'lake'"
                    + " AND schema_name = '%s' ORDER BY 1".formatted(camel.schema())))
        .isEqualTo(
            List.of(
                List.of("stripe_ad_report"), List.of("stripe_adareport"), List.of("stripe_same")));
    assertThat(history(camel, "stripe_ad_report").get(0).tableId()).isEqualTo(camelId);
    assertThat(history(at, "stripe_adareport").get(0).tableId()).isEqualTo(atId);
    assertThat(path.provisioning.requireTeam(team).namingVersion()).isEqualTo("legacy_batch_v1");
    assertThat(path.names.ofTeam(team))
        .allSatisfy(name -> assertThat(name.namingVersion()).isEqualTo("legacy_batch_v1"));
    assertThat(path.eventKinds(camel)).first().isEqualTo(EventKind.RENAMED);
    assertThat(path.eventKinds(same)).doesNotContain(EventKind.RENAMED);
    assertThat(path.statuses.ofTable(camel.schema(), "stripe_ad_report"))
        .singleElement()
        .satisfies(status -> assertThat(status.source()).isEqualTo(RegisterFixture.ref(camel)));
    assertThat(renames.namesSince(camel.schema(), "stripe_adreport"))
        .containsExactly(camel.schema() + ".stripe_ad_report");
  }

  @Test
  void laterGenerationsFollowUnderTheNewNameAndNothingGoesBackwards() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    Source at = source(team, AT);
    publish(camel, 200, "SELECT 1 AS id");
    publish(at, 500, "SELECT 2 AS id");
    rename(team, NamingPolicy.LEGACY_BATCH_V1);
    path.write(camel, 150, "a.parquet", "SELECT 150 AS id");

    assertThat(path.run(camel.trigger(150)).status())
        .as("older than what the table had under its former name")
        .isEqualTo(RegisterStatus.STALE);
    publish(camel, 300, "SELECT 3 AS id");
    publish(at, 600, "SELECT 6 AS id");

    assertThat(rows(camel, "stripe_ad_report", "")).isEqualTo(row("3"));
    assertThat(rows(at, "stripe_adareport", "")).isEqualTo(row("6"));
    assertThat(history(camel, "stripe_ad_report"))
        .extracting(Publication::generation)
        .containsExactly("300", "200");
    assertThat(history(camel, "stripe_adreport")).isEmpty();
    assertThat(scan(camel, "stripe_ad_report")).isEqualTo(row("3"));
  }

  @Test
  void aGenerationFromBeforeTheRenameComesBack() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    publish(camel, 100, "SELECT 1 AS id");
    publish(camel, 200, "SELECT 2 AS id");
    rename(team, NamingPolicy.LEGACY_BATCH_V1);

    RegisterResult result =
        path.client()
            .newWorkflowStub(
                RollbackWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .setWorkflowId("rollback-" + team)
                    .build())
            .run(
                new RollbackRequest(
                    team,
                    camel.schemaId(),
                    RegisterFixture.LAKE,
                    camel.schema(),
                    "stripe_ad_report",
                    "100",
                    null));

    assertThat(result.status()).as(result.reason()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(rows(camel, "stripe_ad_report", "")).isEqualTo(row("1"));
  }

  @Test
  void undoingBringsTheNamesBackAndTheyCanBeChangedAgain() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    Source at = source(team, AT);
    publish(camel, 100, "SELECT 1 AS id");
    publish(at, 100, "SELECT 2 AS id");
    TableRename first = rename(team, NamingPolicy.LEGACY_BATCH_V1);

    TableRename undone = renamer.apply(renamer.planUndo(team).orElseThrow());

    assertThat(undone.undoes()).isEqualTo(first.id());
    assertThat(path.provisioning.requireTeam(team).namingVersion()).isEqualTo("copy_v1");
    publish(camel, 300, "SELECT 3 AS id");
    publish(at, 300, "SELECT 4 AS id");
    assertThat(rows(camel, "stripe_adreport", "")).isEqualTo(row("3"));
    assertThat(rows(at, "stripe_ad_report", "")).isEqualTo(row("4"));
    rename(team, NamingPolicy.LEGACY_BATCH_V1);
    publish(camel, 400, "SELECT 5 AS id");
    assertThat(rows(camel, "stripe_ad_report", "")).isEqualTo(row("5"));
    assertThat(rows(at, "stripe_adareport", "")).isEqualTo(row("4"));
  }

  @Test
  void whatACrashLeftBehindIsFinishedOnceByTheNextCall() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    publish(camel, 100, "SELECT 1 AS id");
    TableRename begun = renames.begin(renamer.plan(team, NamingPolicy.LEGACY_BATCH_V1).request());

    assertThat(rows(camel, "stripe_adreport", "")).isEqualTo(row("1"));
    assertThatThrownBy(
            () ->
                path.names.claim(
                    RegisterFixture.ref(camel),
                    new Target(RegisterFixture.LAKE, camel.schema(), "stripe_adreport"),
                    "copy_v1"))
        .hasMessageContaining("its tables are being renamed to the names of legacy_batch_v1")
        .hasMessageContaining("./sluice rename-tables --team %d --apply".formatted(team))
        .asInstanceOf(type(StateException.class))
        .returns(true, StateException::retryable);
    TableRename done = renamer.finishBegun(team).orElseThrow();
    assertThat(done.id()).isEqualTo(begun.id());
    assertThat(rows(camel, "stripe_ad_report", "")).isEqualTo(row("1"));
    assertThat(renamer.finishBegun(team)).isEmpty();
    publish(camel, 200, "SELECT 2 AS id");
    assertThat(rows(camel, "stripe_ad_report", "")).isEqualTo(row("2"));
  }

  @Test
  void aCrashAfterTheLakesCommitIsRecoveredWithoutAnotherSnapshot() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    Source at = source(team, AT);
    publish(camel, 100, "SELECT 1 AS id");
    publish(at, 100, "SELECT 2 AS id");
    TableRename begun = renames.begin(renamer.plan(team, NamingPolicy.LEGACY_BATCH_V1).request());
    TableRename done = renamer.finishBegun(team).orElseThrow();
    // the home database of just before its own commit
    path.changeHome(
        dsl -> {
          dsl.execute(
              "UPDATE sluice.table_rename SET state = 'applying', snapshot_id = NULL,"
                  + " finished_at = NULL WHERE id = ?",
              begun.id());
          dsl.execute("UPDATE sluice.team SET naming_version = 'copy_v1' WHERE id = ?", team);
          dsl.execute(
              "UPDATE sluice.table_name SET table_name = 'stripe_adreport' WHERE schema_id = ?",
              camel.schemaId());
          dsl.execute(
              "UPDATE sluice.table_name SET table_name = 'stripe_ad_report' WHERE schema_id = ?",
              at.schemaId());
        });
    long latest = path.catalog.reader().latest().id();

    TableRename again = renamer.finishBegun(team).orElseThrow();

    assertThat(again.snapshotId()).isEqualTo(done.snapshotId());
    assertThat(path.catalog.reader().latest().id()).isEqualTo(latest);
    publish(camel, 200, "SELECT 5 AS id");
    publish(at, 200, "SELECT 6 AS id");
    assertThat(rows(camel, "stripe_ad_report", "")).isEqualTo(row("5"));
    assertThat(rows(at, "stripe_adareport", "")).isEqualTo(row("6"));
  }

  @Test
  void tablesCanTakeEachOthersNames() throws Exception {
    long team = newTeam("copy_v1");
    Source one = source(team, "one");
    Source other = source(team, "other");
    publish(one, 100, "SELECT 1 AS id");
    publish(other, 100, "SELECT 2 AS id");
    renames.begin(
        new TableRenames.Request(
            path.provisioning.requireTeam(team),
            "copy_v2",
            null,
            path.names.ofTeam(team),
            List.of(
                new TableRename.Item(one.schemaId(), one.schema(), "stripe_one", "stripe_other"),
                new TableRename.Item(
                    other.schemaId(), other.schema(), "stripe_other", "stripe_one"))));

    assertThat(renamer.finishBegun(team)).isPresent();

    assertThat(rows(one, "stripe_other", "")).isEqualTo(row("1"));
    assertThat(rows(other, "stripe_one", "")).isEqualTo(row("2"));
    assertThat(history(one, "stripe_other"))
        .extracting(each -> each.attempt().source().schemaId())
        .containsExactly(one.schemaId());
  }

  @Test
  void anAttemptThatRunsIsNamedAndStopsIt() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    publish(camel, 100, "SELECT 1 AS id");
    RenamePlan quiet = renamer.plan(team, NamingPolicy.LEGACY_BATCH_V1);
    open(camel, 200);

    assertThat(renamer.plan(team, NamingPolicy.LEGACY_BATCH_V1).problems())
        .singleElement()
        .asString()
        .contains("job-200:200#1")
        .contains("it is being brought in; wait for its end");
    assertThatThrownBy(() -> renamer.apply(quiet))
        .hasMessageContaining("nothing was renamed; generations are being brought in")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.IN_USE, StateException::kind)
        .returns(true, StateException::conflict);
    assertThat(renames.findApplying(team)).isEmpty();
  }

  @Test
  void anAttemptOpenedBeforeTheRenameCanTakeNeitherName() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    Source at = source(team, AT);
    publish(camel, 100, "SELECT 1 AS id");
    publish(at, 100, "SELECT 2 AS id");
    // reaped, while its activity hangs somewhere
    AttemptRef zombie = open(camel, 200);
    long opening =
        path.attempts(camel).stream()
            .filter(attempt -> attempt.key().attempt().equals(zombie))
            .findFirst()
            .orElseThrow()
            .opening();
    path.changeHome(
        dsl ->
            dsl.execute(
                "UPDATE sluice.source_job SET status = 'failed', finished_at = now()"
                    + " WHERE schema_id = ? AND status = 'running'",
                camel.schemaId()));
    path.lakeState.write(
        dsl -> {
          Fences.claim(dsl, target(camel, "stripe_adreport"), zombie, opening);
          return zombie;
        });
    rename(team, NamingPolicy.LEGACY_BATCH_V1);

    for (String name : List.of("stripe_adreport", "stripe_ad_report", "stripe_adareport")) {
      assertThatThrownBy(
              () ->
                  path.lakeState.write(
                      dsl -> {
                        Fences.requireHeld(dsl, target(camel, name), zombie);
                        return name;
                      }))
          .hasMessageContaining("the table was renamed from")
          .asInstanceOf(type(StateException.class))
          .returns(StateException.Kind.ATTEMPT_FENCED, StateException::kind);
    }
    AttemptRef late = new AttemptRef("job-201:201", 1);
    for (String name : List.of("stripe_adreport", "stripe_ad_report", "stripe_adareport")) {
      assertThatThrownBy(
              () ->
                  path.lakeState.write(
                      dsl -> {
                        Fences.claim(dsl, target(camel, name), late, opening);
                        return name;
                      }))
          .asInstanceOf(type(StateException.class))
          .returns(StateException.Kind.ATTEMPT_FENCED, StateException::kind)
          .extracting(Throwable::getMessage)
          .asString()
          .contains("the table was renamed from");
    }
  }

  @Test
  void sourcesThatWouldMeetAreNamedAndNothingIsRenamed() throws Exception {
    long team = newTeam("legacy_batch_v1");
    Source plain = source(team, "ad_report");
    Source at = source(team, AT);
    publish(plain, 100, "SELECT 1 AS id");
    publish(at, 100, "SELECT 2 AS id");

    RenamePlan plan = renamer.plan(team, NamingPolicy.COPY_V1);

    assertThat(plan.problems())
        .singleElement()
        .asString()
        .contains("stripe_ad_report: two sources would have this name")
        .contains(plain.schemaId())
        .contains(at.schemaId());
    assertThatThrownBy(() -> renamer.apply(plan))
        .hasMessageContaining("the name belongs to another source")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.NAME_TAKEN, StateException::kind);
    assertThat(renames.findApplying(team)).isEmpty();
  }

  @Test
  void twoSourcesThatBothMoveCannotGetOneName() {
    long team = newTeam("copy_v1");
    Source one = source(team, "one");
    Source other = source(team, "other");
    Provisioning.Team provisioned = path.provisioning.requireTeam(team);
    for (Source each : List.of(one, other)) {
      path.names.assign(
          RegisterFixture.ref(each),
          new Target(RegisterFixture.LAKE, each.schema(), each.published()),
          "copy_v1");
    }

    assertThatThrownBy(
            () ->
                renames.begin(
                    new TableRenames.Request(
                        provisioned,
                        "copy_v2",
                        null,
                        path.names.ofTeam(team),
                        List.of(
                            new TableRename.Item(
                                one.schemaId(), one.schema(), "stripe_one", "stripe_same"),
                            new TableRename.Item(
                                other.schemaId(), other.schema(), "stripe_other", "stripe_same")))))
        .hasMessageContaining("the name belongs to another source")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.NAME_TAKEN, StateException::kind);
    assertThat(renames.findApplying(team)).isEmpty();
  }

  @Test
  void aTableOfSomebodyElseIsInTheWay() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    publish(camel, 100, "SELECT 1 AS id");
    path.session()
        .execute("CREATE TABLE lake.%s.Stripe_Ad_Report (x INTEGER)".formatted(camel.schema()));

    assertThat(renamer.plan(team, NamingPolicy.LEGACY_BATCH_V1).problems())
        .singleElement()
        .asString()
        .contains("stripe_ad_report: the lake has a table of this name that Sluice does not");
  }

  @Test
  void whatTheLakeRefusesLeavesEverythingAsItWas() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    publish(camel, 100, "SELECT 1 AS id");
    path.session()
        .execute("CREATE VIEW lake.%s.stripe_ad_report AS SELECT 1 AS x".formatted(camel.schema()));
    RenamePlan plan = renamer.plan(team, NamingPolicy.LEGACY_BATCH_V1);

    assertThatThrownBy(() -> renamer.apply(plan))
        .isInstanceOf(InvalidChangeException.class)
        .hasMessageContaining("there is a view of that name");

    assertThat(renames.findApplying(team)).isEmpty();
    assertThat(path.provisioning.requireTeam(team).namingVersion()).isEqualTo("copy_v1");
    publish(camel, 200, "SELECT 2 AS id");
    assertThat(rows(camel, "stripe_adreport", "")).isEqualTo(row("2"));
  }

  @Test
  void expiryAfterARenameLosesNothing() throws Exception {
    long team = newTeam("copy_v1");
    Source camel = source(team, CAMEL);
    publish(camel, 100, "SELECT 1 AS id");
    rename(team, NamingPolicy.LEGACY_BATCH_V1);

    path.session().execute("CALL ducklake_expire_snapshots('lake', older_than => now())");
    path.session().execute("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)");

    assertThat(rows(camel, "stripe_ad_report", "")).isEqualTo(row("1"));
    assertThat(scan(camel, "stripe_ad_report")).isEqualTo(row("1"));
  }

  private static AttemptRef open(Source source, long epoch) {
    return path.jobs.open(
        new AttemptOpening(
            WorkflowPath.REGISTER,
            source.trigger(epoch),
            Instant.EPOCH,
            "elsewhere",
            "run",
            "elsewhere"));
  }
}
