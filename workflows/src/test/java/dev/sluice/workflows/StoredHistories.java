package dev.sluice.workflows;

import dev.sluice.workflows.activity.CopyPlan;
import dev.sluice.workflows.activity.GateDecision;
import dev.sluice.workflows.activity.LandResult;
import dev.sluice.workflows.activity.VerifyResult;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.WorkflowIds;
import dev.sluice.workflows.upstream.DataModelingInput;
import dev.sluice.workflows.upstream.DataModelingRun;
import dev.sluice.workflows.upstream.UpstreamImport;
import dev.sluice.workflows.upstream.UpstreamImportInput;
import dev.sluice.workflows.upstream.UpstreamModel;
import dev.sluice.workflows.upstream.UpstreamTable;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.failure.ApplicationFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plays every scenario whose history is kept under the test resources. {@link RecordHistoriesTest}
 * stores them anew.
 */
final class StoredHistories {

  /** Plays a scenario and returns the run whose history is kept. */
  interface Scenario {
    WorkflowExecution play(TimeSkippingFixture fixture) throws InterruptedException;
  }

  private StoredHistories() {}

  /** Every scenario by the name of its file. */
  static Map<String, Scenario> scenarios() {
    Map<String, Scenario> all = new LinkedHashMap<>();
    all.put("register-completed", StoredHistories::completed);
    all.put("register-skipped", StoredHistories::skipped);
    all.put("register-asked-again", StoredHistories::askedAgain);
    all.put("register-retried", StoredHistories::retried);
    all.put("register-failed", StoredHistories::failed);
    all.put("register-cancelled", StoredHistories::cancelled);
    all.put("register-continued", StoredHistories::continued);
    all.put("copy-completed", StoredHistories::copied);
    all.put("copy-handed-on", StoredHistories::handedOn);
    all.put("model-completed", StoredHistories::modelsCopied);
    all.put("model-one-failed", StoredHistories::oneModelFailed);
    all.put("modeling-run", StoredHistories::modeling);
    all.put("rollback-completed", StoredHistories::rolledBack);
    all.put("set-completed", StoredHistories::setPublished);
    all.put("set-refused", StoredHistories::setRefused);
    all.put("upstream-import", StoredHistories::upstream);
    return all;
  }

  /** Plays one scenario on a service of its own. */
  static WorkflowExecutionHistory record(Scenario scenario) throws InterruptedException {
    try (TimeSkippingFixture fixture = TimeSkippingFixture.start()) {
      return fixture.history(scenario.play(fixture));
    }
  }

  private static WorkflowExecution completed(TimeSkippingFixture fixture) {
    return finished(fixture.begin(Triggers.generation(1)));
  }

  private static WorkflowExecution skipped(TimeSkippingFixture fixture) {
    fixture.activities.gate = input -> GateDecision.closed("flag is off");
    return finished(fixture.begin(Triggers.generation(1)));
  }

  private static WorkflowExecution askedAgain(TimeSkippingFixture fixture) {
    fixture.loseGate(1, GateDecision.open());
    return finished(fixture.begin(Triggers.generation(1)));
  }

  private static WorkflowExecution retried(TimeSkippingFixture fixture) {
    AtomicInteger tries = new AtomicInteger();
    fixture.activities.publish =
        input -> {
          if (tries.incrementAndGet() < 3) {
            throw ApplicationFailure.newFailure("lost", FailureTypes.COMMIT_OUTCOME_UNKNOWN);
          }
          return fixture.activities.publishUnlessOlder(input);
        };
    return finished(fixture.begin(Triggers.generation(1)));
  }

  private static WorkflowExecution failed(TimeSkippingFixture fixture) {
    fixture.activities.verify =
        input -> {
          throw ApplicationFailure.newNonRetryableFailure(
              "rows: 30 expected, 29 found", FailureTypes.VERIFICATION_FAILED);
        };
    return finished(fixture.begin(Triggers.generation(1)));
  }

  private static WorkflowExecution cancelled(TimeSkippingFixture fixture)
      throws InterruptedException {
    CountDownLatch landing = new CountDownLatch(1);
    fixture.activities.land = ModelActivities.waitingFor(landing, new CountDownLatch(1));
    RegisterWorkflow run = fixture.begin(Triggers.generation(1));
    landing.await();
    WorkflowStub.fromTyped(run).cancel();
    return finished(run);
  }

  /** The first run of a chain; four triggers arrive while it lands. */
  private static WorkflowExecution continued(TimeSkippingFixture fixture)
      throws InterruptedException {
    CountDownLatch landing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    fixture.activities.land = ModelActivities.waitingFor(landing, go);
    RegisterWorkflow run = fixture.begin(Triggers.generation(1));
    WorkflowExecution first = WorkflowStub.fromTyped(run).getExecution();
    landing.await();
    for (int number : new int[] {1, 2, 4, 3}) {
      run.submit(Triggers.generation(number));
    }
    go.countDown();
    finished(run);
    return first;
  }

  /** Waits for the log once; then a file vanishes, and a newer version is copied. */
  private static WorkflowExecution copied(TimeSkippingFixture fixture) {
    AtomicInteger plans = new AtomicInteger();
    fixture.activities.planCopy =
        input ->
            plans.incrementAndGet() == 1
                ? CopyPlan.waiting("its log is being rebuilt")
                : ModelActivities.ready(input, 10 + plans.get());
    AtomicInteger landings = new AtomicInteger();
    fixture.activities.land =
        input -> {
          if (landings.incrementAndGet() == 1) {
            throw ApplicationFailure.newNonRetryableFailure(
                "a file is gone", FailureTypes.SOURCE_FILES_GONE);
          }
          return new LandResult(ModelActivities.FILES, ModelActivities.BYTES);
        };
    return copied(fixture, Triggers.copy(ProducerOrder.NEWEST_DELTA_VERSION));
  }

  /** A run that names the source of another workflow too. */
  private static WorkflowExecution handedOn(TimeSkippingFixture fixture) {
    RegisterTrigger own = Triggers.copy(ProducerOrder.deltaVersion(3));
    return copied(
        fixture,
        own,
        RegisterTrigger.copy(
            123, "job-3", "source-2", "Stripe", null, "customers", own.order(), null, null));
  }

  private static WorkflowExecution copied(
      TimeSkippingFixture fixture, RegisterTrigger... triggers) {
    CopyWorkflow workflow =
        fixture.client().newWorkflowStub(CopyWorkflow.class, options(WorkflowIds.of(triggers[0])));
    workflow.run(CopyInput.of(triggers));
    return WorkflowStub.fromTyped(workflow).getExecution();
  }

  private static WorkflowExecution modelsCopied(TimeSkippingFixture fixture) {
    return models(fixture);
  }

  /** The first of two fails its checks; the second is published. */
  private static WorkflowExecution oneModelFailed(TimeSkippingFixture fixture) {
    fixture.activities.verify =
        input -> {
          if (input.trigger().sourceSchemaId().equals("query-1")) {
            throw ApplicationFailure.newNonRetryableFailure(
                "rows: 30 expected, 29 found", FailureTypes.VERIFICATION_FAILED);
          }
          return new VerifyResult(1, ModelActivities.ROWS);
        };
    return models(fixture);
  }

  private static WorkflowExecution models(TimeSkippingFixture fixture) {
    RegisterTrigger first = Triggers.model("query-1", ProducerOrder.deltaVersion(12));
    ModelCopyWorkflow workflow =
        fixture.client().newWorkflowStub(ModelCopyWorkflow.class, options(WorkflowIds.of(first)));
    try {
      workflow.run(
          ModelCopyInput.of(
              List.of(first, Triggers.model("query-2", ProducerOrder.deltaVersion(12)))));
    } catch (WorkflowFailedException expectedBySome) {
      // The history is what is wanted, and it says how the run ended.
    }
    return WorkflowStub.fromTyped(workflow).getExecution();
  }

  private static WorkflowExecution modeling(TimeSkippingFixture fixture) {
    DataModelingRun parent =
        fixture.client().newWorkflowStub(DataModelingRun.class, options("data-modeling-run-1"));
    parent.run(
        new DataModelingInput(
            123,
            "job-1",
            List.of(
                new UpstreamModel("query-1", "daily_revenue", "Daily revenue"),
                new UpstreamModel("query-2", "churn", "Churn")),
            null,
            null));
    return WorkflowStub.fromTyped(parent).getExecution();
  }

  private static WorkflowExecution rolledBack(TimeSkippingFixture fixture) {
    RollbackWorkflow workflow =
        fixture
            .client()
            .newWorkflowStub(RollbackWorkflow.class, options(RollbackWorkflow.TYPE + "-123"));
    workflow.run(new RollbackRequest(123, Triggers.SOURCE, "main", "s", "t", "1", null));
    return WorkflowStub.fromTyped(workflow).getExecution();
  }

  private static WorkflowExecution setPublished(TimeSkippingFixture fixture) {
    return set(fixture);
  }

  /** The second member fails its checks, so that the first is not published either. */
  private static WorkflowExecution setRefused(TimeSkippingFixture fixture) {
    fixture.activities.verify =
        input -> {
          if (input.trigger().sourceSchemaId().equals(Triggers.SOURCE)) {
            return new VerifyResult(1, ModelActivities.ROWS);
          }
          throw ApplicationFailure.newNonRetryableFailure(
              "rows: 30 expected, 29 found", FailureTypes.VERIFICATION_FAILED);
        };
    return set(fixture);
  }

  /** Publishes a set of two sources. */
  static PublishSetResult publishSet(TimeSkippingFixture fixture) {
    return setStub(fixture).run(twoMembers());
  }

  private static PublishSetWorkflow setStub(TimeSkippingFixture fixture) {
    return fixture
        .client()
        .newWorkflowStub(PublishSetWorkflow.class, options(PublishSetWorkflow.TYPE + "-set"));
  }

  private static PublishSetInput twoMembers() {
    return new PublishSetInput(
        "set",
        List.of(
            Triggers.generation(1),
            Triggers.generation("0198f2d0-2222-7000-8000-000000000002", 1)));
  }

  private static WorkflowExecution set(TimeSkippingFixture fixture) {
    PublishSetWorkflow workflow = setStub(fixture);
    try {
      workflow.run(twoMembers());
    } catch (WorkflowFailedException expectedBySome) {
      // The history is what is wanted, and it says how the run ended.
    }
    return WorkflowStub.fromTyped(workflow).getExecution();
  }

  private static WorkflowOptions options(String workflowId) {
    return WorkflowOptions.newBuilder()
        .setWorkflowId(workflowId)
        .setTaskQueue(Workflows.TASK_QUEUE)
        .build();
  }

  private static WorkflowExecution upstream(TimeSkippingFixture fixture) {
    UpstreamImport parent =
        fixture
            .client()
            .newWorkflowStub(
                UpstreamImport.class,
                WorkflowOptions.newBuilder()
                    .setWorkflowId("external-data-job-1")
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .build());
    parent.run(
        new UpstreamImportInput(
            123,
            "job-1",
            "Stripe",
            null,
            List.of(
                new UpstreamTable("invoices", Triggers.SOURCE),
                new UpstreamTable("customers", "0198f2d0-2222-7000-8000-000000000002")),
            null,
            null,
            null));
    return WorkflowStub.fromTyped(parent).getExecution();
  }

  private static WorkflowExecution finished(RegisterWorkflow run) {
    WorkflowStub stub = WorkflowStub.fromTyped(run);
    WorkflowExecution execution = stub.getExecution();
    try {
      stub.getResult(RegisterResult.class);
    } catch (WorkflowFailedException expectedBySome) {
      // The history is what is wanted, and it says how the run ended.
    }
    return execution;
  }
}
