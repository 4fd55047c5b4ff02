package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the Temporal UI shows of each workflow's runs to somebody who opens no payload. */
class ReadableHistoryTest {

  private static final String TARGET = "insights_data_imports_team_123.stripe_invoices";

  static Stream<String> scenarios() {
    return StoredHistories.scenarios().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void everyStepSaysWhichTableOrGenerationItIsAbout(String scenario) throws Exception {
    assertThat(ShownHistory.lines(StoredHistories.record(scenario(scenario))))
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(line)
                    .containsPattern(
                        ": .*(invoices|Model query-[12]|Daily revenue|Churn|customers"
                            + "|s\\.t|its log is being rebuilt)"));
  }

  @Test
  void aRegistrationIsToldStepByStep() throws Exception {
    assertThat(ShownHistory.lines(StoredHistories.record(scenario("register-completed"))))
        .containsExactly(
            "record-trigger: note running: generation 1785365520 of Stripe invoices",
            "gate: ask whether team 123 may register Stripe invoices",
            "open-attempt: open an attempt of job job-1 at generation 1785365520 of Stripe invoices",
            "prepare: find the files of invoices__query_1785365520",
            "land: copy generation 1785365520 for " + TARGET + ", 3 files, 3.0 kB",
            "inspect: read the footers of generation 1785365520 for " + TARGET + ", 3 files",
            "verify: verify generation 1785365520 for " + TARGET + " against the source, 30 rows",
            "publish: publish generation 1785365520 as " + TARGET + ", 3 files, 3.0 kB",
            "close-attempt: close attempt 1 as completed, generation 1785365520 of Stripe invoices");
  }

  /** It waits for the log once; then a file vanishes, and a newer version is copied. */
  @Test
  void aCopyIsToldWithItsWaitsAndNewPlans() throws Exception {
    assertThat(ShownHistory.lines(StoredHistories.record(scenario("copy-completed"))))
        .containsSubsequence(
            "gate: ask whether team 123 may copy Stripe invoices",
            "copyPrepare: find the newest version of the Delta table of Stripe invoices",
            "timer: look again: its log is being rebuilt",
            "copyPrepare: find the newest version of the Delta table of Stripe invoices",
            "copyLand: copy generation v12 for " + TARGET + ", 3 files, 3.0 kB",
            "copyPrepare: find the newest version of the Delta table of Stripe invoices",
            "copyLand: copy generation v13 for " + TARGET + ", 3 files, 3.0 kB",
            "inspect: read the footers of generation v13 for " + TARGET + ", 3 files",
            "copyVerify: verify generation v13 for " + TARGET + " against the source, 30 rows",
            "publish: publish generation v13 as " + TARGET + ", 3 files, 3.0 kB",
            "close-attempt: close attempt 1 as completed, generation v13 of Stripe invoices");
  }

  @Test
  void aRollbackNamesTheSnapshotItGoesBackTo() throws Exception {
    assertThat(ShownHistory.lines(StoredHistories.record(scenario("rollback-completed"))))
        .contains(
            "restorePlan: look for generation 1 of s.t",
            "restorePrepare: list the files of s.t at snapshot 7",
            "restoreCopy: copy generation 1785365520 for s.t, 3 files, 3.0 kB, to fresh keys",
            "restoreVerify: verify 30 rows of s.t against what snapshot 7 published");
  }

  @Test
  void aSetNamesItsTablesWhereItPublishesThem() throws Exception {
    assertThat(ShownHistory.lines(StoredHistories.record(scenario("set-completed"))))
        .contains("publishSet: publish 2 tables in one snapshot: " + TARGET + ", " + TARGET);
  }

  @Test
  void anImportShowsWhatItStartedAndTheChildWhatItIs() throws Exception {
    try (TimeSkippingFixture fixture = TimeSkippingFixture.start()) {
      WorkflowExecution parent = scenario("upstream-import").play(fixture);
      String child = WorkflowIds.of(Triggers.generation(1));
      WorkflowStub registered = fixture.client().newUntypedWorkflowStub(child);
      registered.getResult(RegisterResult.class);

      assertThat(
              ShownHistory.currentDetails(
                  fixture.client().newUntypedWorkflowStub(parent.getWorkflowId())))
          .startsWith("Imported 2 of 2 tables")
          .contains("- `invoices` generation `1785365520`: started `" + child + "`", "customers");
      WorkflowExecutionHistory history = fixture.client().fetchHistory(child);
      assertThat(ShownHistory.summary(history))
          .isEqualTo("register Stripe of team 123, generation 1785365520: invoices");
      assertThat(ShownHistory.details(history))
          .contains(
              "- **team**: `123`",
              "- **source**: `Stripe invoices`",
              "- **source schema id**: `" + Triggers.SOURCE + "`",
              "- **job**: `job-1`",
              "- **generation**: `1785365520`");
      assertThat(ShownHistory.currentDetails(registered))
          .contains(
              "Generation `1785365520` of job `job-1`, source `Stripe invoices` into `" + TARGET,
              "- **land**: 3 files, 3.0 kB",
              "- **inspect**: 30 rows",
              "**completed**");
      assertThat(ShownHistory.searchAttributes(history))
          .containsEntry("DuckLakeTable", TARGET)
          .containsEntry("IngestSource", "123/" + Triggers.SOURCE)
          .containsEntry("IngestPhase", "completed")
          .containsKeys("DuckLakeLake", "SnapshotId");
    }
  }

  @Test
  void materializationsAndModelsShowTheirLabels() throws Exception {
    try (TimeSkippingFixture fixture = TimeSkippingFixture.start()) {
      WorkflowExecution parent = scenario("modeling-run").play(fixture);

      assertThat(
              ShownHistory.currentDetails(
                  fixture.client().newUntypedWorkflowStub(parent.getWorkflowId())))
          .startsWith("Materialized 2 of 2 tables")
          .contains("- `Daily revenue` generation", "- `Churn` generation", "started `");
      assertThat(
              ShownHistory.summary(
                  fixture
                      .client()
                      .fetchHistory(
                          WorkflowIds.of(
                              Triggers.model("query-1", ProducerOrder.deltaVersion(12))))))
          .startsWith("copy model of team 123, generation v")
          .endsWith(": Daily revenue");
    }
  }

  @Test
  void aSetShowsHowFarEachMemberIs() throws Exception {
    try (TimeSkippingFixture fixture = TimeSkippingFixture.start()) {
      WorkflowExecution set = scenario("set-refused").play(fixture);

      assertThat(
              ShownHistory.currentDetails(
                  fixture.client().newUntypedWorkflowStub(set.getWorkflowId())))
          .startsWith("Set `set`: **done**")
          .contains(
              "- `Stripe invoices` generation `1785365520` into `"
                  + TARGET
                  + "`, 3 files, 3.0 kB: **failed**, set set is published as a whole",
              "**failed**, rows: 30 expected, 29 found");
    }
  }

  private static StoredHistories.Scenario scenario(String name) {
    return Objects.requireNonNull(StoredHistories.scenarios().get(name), name);
  }
}
