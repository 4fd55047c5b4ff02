package dev.sluice.activities.temporal;

import static dev.sluice.activities.delta.DeltaActions.field;
import static dev.sluice.activities.delta.DeltaActions.metadata;
import static dev.sluice.activities.delta.DeltaActions.protocol;
import static dev.sluice.activities.delta.DeltaActions.schema;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.verify.CheckPlan;
import dev.sluice.activities.verify.CheckRules;
import dev.sluice.activities.verify.Depth;
import dev.sluice.activities.verify.SqlCheck;
import dev.sluice.workflows.ModelCopyInput;
import dev.sluice.workflows.ModelCopyResult;
import dev.sluice.workflows.ModelCopyWorkflow;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.Workflows;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models' Delta tables, copied from end to end without being configured anywhere. */
class CopyModelsTest {

  private static final String SCHEMA = "insights_data_modeling_team_" + RegisterFixture.TEAM;

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  private static DeltaSource delta(String name, int id) {
    DeltaSource delta = new DeltaSource(path, name);
    delta
        .folder()
        .commit(
            0,
            protocol(),
            metadata(schema(field("id", "integer"))),
            delta.file("f.parquet", 1, "SELECT %d::INT AS id".formatted(id)));
    return delta;
  }

  private static RegisterTrigger model(
      String query, String label, DeltaSource delta, String job, long version) {
    return RegisterTrigger.model(
        RegisterFixture.TEAM,
        job,
        query,
        "",
        label,
        path.sourceRoot.resolve(delta.source().table()).uri(),
        ProducerOrder.deltaVersion(version),
        null,
        null);
  }

  private static ModelCopyResult copy(RegisterTrigger... models) {
    ModelCopyWorkflow workflow =
        path.client()
            .newWorkflowStub(
                ModelCopyWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .setWorkflowId(WorkflowIds.of(models[0]))
                    .build());
    try {
      return workflow.run(ModelCopyInput.of(List.of(models)));
    } catch (WorkflowFailedException e) {
      return ModelCopyResult.ofFailure(e).orElseThrow(() -> e);
    }
  }

  private static List<List<@Nullable String>> rows(String table) throws SQLException {
    return path.duckDb("SELECT id FROM lake.%s.%s ORDER BY id".formatted(SCHEMA, table));
  }

  @Test
  void oneBadModelLeavesTheOthersPublishedInTheModelsSchema() throws Exception {
    DeltaSource one = delta("one", 1);
    DeltaSource none = new DeltaSource(path, "none");
    none.folder().parquet("f.parquet", "SELECT 1 AS id");
    DeltaSource two = delta("two", 2);

    ModelCopyResult result =
        copy(
            model("q-1", "Daily revenue!", one, "job-1", 0),
            model("q-2", "Broken", none, "job-1", 0),
            model("q-3", "2024 churn", two, "job-1", 0));

    assertThat(result.published()).containsExactly("Daily revenue!", "2024 churn");
    assertThat(result.failed()).containsExactly("Broken");
    assertThat(rows("daily_revenue")).isEqualTo(List.of(List.of("1")));
    assertThat(rows("model_2024_churn")).isEqualTo(List.of(List.of("2")));
    assertThat(path.jobs.history(new SourceRef(RegisterFixture.TEAM, "q-2"), 5))
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat(attempt.status()).isEqualTo(JobStatus.FAILED);
              assertThat(attempt.key().path()).isEqualTo(WorkflowPath.MODEL);
            });
  }

  @Test
  void aModelWhoseLabelChangesKeepsItsTable() throws Exception {
    DeltaSource delta = delta("label", 1);
    assertThat(copy(model("q-4", "Sales", delta, "job-1", 0)).published()).containsExactly("Sales");
    delta.folder().commit(1, delta.file("g.parquet", 1, "SELECT 2::INT AS id"));

    ModelCopyResult result = copy(model("q-4", "Revenue", delta, "job-2", 1));

    assertThat(result.published()).containsExactly("Revenue");
    assertThat(result.models().get(0).result().table()).isEqualTo("sales");
    assertThat(rows("sales")).isEqualTo(List.of(List.of("1"), List.of("2")));
  }

  @Test
  void aQueryOfAModelKnowsItsSavedQuery() throws Exception {
    DeltaSource delta = delta("asked", 1);
    SqlCheck query =
        new SqlCheck(
            "known",
            SqlCheck.parse(
                "SELECT count(*) FROM {source} WHERE $saved_query_id = 'q-5'"
                    + " AND $saved_query_name = 'Churn' AND $model_label = 'Churn'"
                    + " AND $normalized_name = '' AND $table_name = 'churn'"
                    + " AND $source_table_uri = '"
                    + path.sourceRoot.resolve(delta.source().table()).uri()
                    + "'"),
            "of the test",
            BigDecimal.ONE,
            0);
    path.plans = (table, source) -> new CheckPlan(Depth.COUNTS, null, Map.of(), List.of(query));
    try {
      assertThat(copy(model("q-5", "Churn", delta, "job-1", 0)).published())
          .containsExactly("Churn");
    } finally {
      path.plans = CheckRules.DEFAULT;
    }
  }
}
