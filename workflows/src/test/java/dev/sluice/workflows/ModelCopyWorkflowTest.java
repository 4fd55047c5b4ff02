package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.GateDecision;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.VerifyResult;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.WorkflowIds;
import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.DataModelingInput;
import dev.sluice.workflows.upstream.DataModelingResult;
import dev.sluice.workflows.upstream.DataModelingRun;
import dev.sluice.workflows.upstream.UpstreamModel;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ModelCopyWorkflowTest {
  private static final ProducerOrder TWELVE = ProducerOrder.deltaVersion(12);

  private final TimeSkippingFixture fixture = TimeSkippingFixture.start();
  private final ModelActivities activities = fixture.activities;

  @AfterEach
  void close() {
    fixture.close();
  }

  private ModelCopyWorkflow stub(String workflowId) {
    return fixture
        .client()
        .newWorkflowStub(
            ModelCopyWorkflow.class,
            WorkflowOptions.newBuilder()
                .setWorkflowId(workflowId)
                .setTaskQueue(Workflows.TASK_QUEUE)
                .build());
  }

  private ModelCopyResult run(String... queries) {
    List<RegisterTrigger> models = List.of(queries).stream().map(this::model).toList();
    return stub(WorkflowIds.of(models.get(0))).run(ModelCopyInput.of(models));
  }

  private RegisterTrigger model(String query) {
    return Triggers.model(query, TWELVE);
  }

  private void failVerificationOf(String query) {
    activities.verify =
        input -> {
          if (input.trigger().sourceSchemaId().equals(query)) {
            throw ApplicationFailure.newNonRetryableFailure(
                "rows: 30 expected, 29 found", FailureTypes.VERIFICATION_FAILED);
          }
          return new VerifyResult(1, ModelActivities.ROWS);
        };
  }

  @Test
  void everyModelIsTakenAfterTheOtherWithAnAttemptOfItsOwn() {
    ModelCopyResult result = run("query-1", "query-2");

    assertThat(result.published()).containsExactly("Model query-1", "Model query-2");
    assertThat(result.failed()).isEmpty();
    assertThat(activities.closings)
        .extracting(closing -> closing.trigger().sourceSchemaId())
        .containsExactly("query-1", "query-2");
    assertThat(activities.closings)
        .extracting(AttemptClosing::path)
        .containsOnly(WorkflowPath.MODEL);
    assertThat(activities.calls.indexOf("close-attempt"))
        .as("the first ends before the second opens")
        .isLessThan(activities.calls.lastIndexOf("open-attempt"));
  }

  @Test
  void anEmptyListEndsBeforeTheGate() {
    ModelCopyResult result = stub("none").run(ModelCopyInput.of(List.of()));

    assertThat(result.models()).isEmpty();
    assertThat(activities.calls).isEmpty();
  }

  @Test
  void oneBadModelLeavesTheOthersPublishedAndTheRunSaysBothLists() {
    failVerificationOf("query-2");

    assertThatThrownBy(() -> run("query-1", "query-2", "query-3"))
        .isInstanceOf(WorkflowFailedException.class)
        .satisfies(
            failure -> {
              ModelCopyResult result = ModelCopyResult.ofFailure(failure).orElseThrow();
              assertThat(result.published()).containsExactly("Model query-1", "Model query-3");
              assertThat(result.failed()).containsExactly("Model query-2");
            })
        .cause()
        .hasMessageContaining(
            "1 of 3 models failed; published: Model query-1, Model query-3; failed: Model query-2;"
                + " Model query-2: rows: 30 expected, 29 found");
    assertThat(activities.closings)
        .extracting(closing -> closing.result().status())
        .containsExactly(RegisterStatus.COMPLETED, RegisterStatus.FAILED, RegisterStatus.COMPLETED);
    assertThat(activities.liveGeneration("query-3")).isEqualTo("v12");
    assertThat(activities.liveGeneration("query-2")).isEqualTo("none");
  }

  @Test
  void aClosedGateSkipsItsModelAlone() {
    activities.gate =
        input ->
            input.trigger().sourceSchemaId().equals("query-1")
                ? GateDecision.closed("source is paused")
                : GateDecision.open();

    ModelCopyResult result = run("query-1", "query-2");

    assertThat(result.published()).containsExactly("Model query-2");
    assertThat(result.failed()).isEmpty();
    assertThat(result.models().get(0).result().status()).isEqualTo(RegisterStatus.SKIPPED);
  }

  @Test
  void aTriggerThatArrivesMeanwhileWaitsInItsModelsSlot() throws InterruptedException {
    CountDownLatch landing = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    activities.land = ModelActivities.waitingFor(landing, sent);
    activities.planCopy = input -> ModelActivities.ready(input, input.trigger().order().value());
    RegisterTrigger first = model("query-1");
    ModelCopyWorkflow workflow = stub(WorkflowIds.of(first));
    WorkflowClient.start(workflow::run, ModelCopyInput.of(List.of(first, model("query-2"))));
    landing.await();

    workflow.submit(Triggers.model("query-1", ProducerOrder.deltaVersion(13)));
    workflow.submit(Triggers.model("query-3", TWELVE));
    sent.countDown();
    WorkflowStub.fromTyped(workflow).getResult(ModelCopyResult.class);

    ModelCopyResult last =
        fixture
            .client()
            .newUntypedWorkflowStub(WorkflowIds.of(first))
            .getResult(ModelCopyResult.class);
    assertThat(last.published()).containsExactly("Model query-1");
    assertThat(activities.liveGeneration("query-1")).isEqualTo("v13");
    assertThat(activities.liveGeneration("query-2")).isEqualTo("v12");
    assertThat(activities.liveGeneration("query-3")).isEqualTo("v12");
    assertThat(activities.triggers)
        .filteredOn(entry -> entry.disposition() == TriggerDisposition.PENDING)
        .extracting(entry -> entry.trigger().sourceSchemaId())
        .containsExactly("query-1");
  }

  @Test
  void theParentStartsACopyForEachModelAndOneThatRunsIsSignalled() {
    DataModelingInput input =
        new DataModelingInput(
            123,
            "job-12",
            List.of(
                new UpstreamModel("query-1", "daily_revenue", "Daily revenue"),
                new UpstreamModel("query-1", "daily_revenue", "Daily revenue")),
            null,
            null);
    CountDownLatch sent = new CountDownLatch(1);
    activities.land = ModelActivities.waitingFor(new CountDownLatch(1), sent);

    DataModelingResult result =
        fixture
            .client()
            .newWorkflowStub(
                DataModelingRun.class,
                WorkflowOptions.newBuilder().setTaskQueue(Workflows.TASK_QUEUE).build())
            .run(input);

    assertThat(result.notStarted()).isEmpty();
    assertThat(result.copies())
        .extracting(ChildStart::workflowId)
        .containsOnly("ducklake-copy.data-modeling-123-query-1");
    assertThat(result.copies())
        .extracting(ChildStart::outcome)
        .containsExactly(ChildStart.Outcome.STARTED, ChildStart.Outcome.SIGNALLED);
    sent.countDown();
    assertThat(
            fixture
                .client()
                .newUntypedWorkflowStub("ducklake-copy.data-modeling-123-query-1")
                .getResult(ModelCopyResult.class)
                .published())
        .containsExactly("Daily revenue");
  }
}
