package dev.sluice.workflows;

import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;

/**
 * The in-memory service with a clock that skips what nobody does anything in, so that long retries
 * take no time; otherwise as {@link TemporalFixture}. Its histories name no machine.
 */
final class TimeSkippingFixture implements AutoCloseable {
  private static final String IDENTITY = "test";

  final ModelActivities activities = new ModelActivities();
  private final TestWorkflowEnvironment environment;

  private TimeSkippingFixture(WorkerFactoryOptions factory, Object... moreActivities) {
    TestEnvironmentOptions.Builder options =
        TestEnvironmentOptions.newBuilder()
            .setWorkerFactoryOptions(factory)
            .setWorkflowClientOptions(
                WorkflowClientOptions.newBuilder().setIdentity(IDENTITY).build());
    for (SearchAttributeKey<?> key : SearchAttributes.all()) {
      options.registerSearchAttribute(key.getName(), key.getValueType());
    }
    environment = TestWorkflowEnvironment.newInstance(options.build());
    Worker worker =
        environment.newWorker(
            Workflows.TASK_QUEUE,
            WorkerOptions.newBuilder()
                .setIdentity(IDENTITY)
                // A cancellation comes with a heartbeat's answer; the default waits 24 s for one.
                .setMaxHeartbeatThrottleInterval(Duration.ofMillis(50))
                .build());
    Workflows.implementations().forEach(worker::registerWorkflowImplementationTypes);
    Workflows.sampleUpstream().forEach(worker::registerWorkflowImplementationTypes);
    worker.registerActivitiesImplementations(activities);
    if (moreActivities.length > 0) {
      worker.registerActivitiesImplementations(moreActivities);
    }
    environment.start();
  }

  static TimeSkippingFixture start() {
    return new TimeSkippingFixture(WorkerFactoryOptions.getDefaultInstance());
  }

  /** Every workflow task replays the run from its beginning, as after a restart of the worker. */
  static TimeSkippingFixture startWithoutCache() {
    return new TimeSkippingFixture(
        WorkerFactoryOptions.newBuilder().setWorkflowCacheSize(0).build());
  }

  static TimeSkippingFixture startWith(WorkerInterceptor interceptor, Object moreActivities) {
    return new TimeSkippingFixture(
        WorkerFactoryOptions.newBuilder().setWorkerInterceptors(interceptor).build(),
        moreActivities);
  }

  WorkflowClient client() {
    return environment.getWorkflowClient();
  }

  /** Milliseconds of the service's clock. */
  long now() {
    return environment.currentTimeMillis();
  }

  /** Runs a trigger to its end. */
  RegisterResult run(RegisterTrigger trigger) {
    return stub(trigger).run(RegisterInput.of(trigger));
  }

  /** Starts a trigger and returns the handle of its run. */
  RegisterWorkflow begin(RegisterTrigger trigger) {
    RegisterWorkflow stub = stub(trigger);
    WorkflowClient.start(stub::run, RegisterInput.of(trigger));
    return stub;
  }

  /** The outcome of the last run of a chain. */
  RegisterResult result(RegisterTrigger trigger) {
    return client().newUntypedWorkflowStub(WorkflowIds.of(trigger)).getResult(RegisterResult.class);
  }

  WorkflowExecutionHistory history(WorkflowExecution execution) {
    return client().fetchHistory(execution.getWorkflowId(), execution.getRunId());
  }

  WorkflowExecutionHistory history(Object stub) {
    return history(WorkflowStub.fromTyped(stub).getExecution());
  }

  RegisterWorkflow stub(RegisterTrigger trigger) {
    return client()
        .newWorkflowStub(
            RegisterWorkflow.class,
            WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.of(trigger))
                .setTaskQueue(Workflows.TASK_QUEUE)
                .setStaticSummary("register " + trigger.table())
                .build());
  }

  @Override
  public void close() {
    environment.close();
  }
}
