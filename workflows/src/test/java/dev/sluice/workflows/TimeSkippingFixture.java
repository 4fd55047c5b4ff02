package dev.sluice.workflows;

import dev.sluice.workflows.activity.GateDecision;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.activity.Activity;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The in-memory service with a clock that skips what nobody does anything in, so that long retries
 * take no time; otherwise as {@link TemporalFixture}. Its histories name no machine.
 */
final class TimeSkippingFixture implements AutoCloseable {
  private static final String IDENTITY = "test";

  final ModelActivities activities = new ModelActivities();
  private final GivenUpSooner impatience = new GivenUpSooner("gate", Duration.ofSeconds(1));
  private final TestWorkflowEnvironment environment;

  private TimeSkippingFixture(
      WorkerInterceptor interceptor,
      Consumer<WorkerFactoryOptions.Builder> more,
      Object... moreActivities) {
    WorkerFactoryOptions.Builder factory =
        WorkerFactoryOptions.newBuilder().setWorkerInterceptors(interceptor, impatience);
    more.accept(factory);
    TestEnvironmentOptions.Builder options =
        TestEnvironmentOptions.newBuilder()
            .setWorkerFactoryOptions(factory.build())
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
    return startWith(new WorkerInterceptorBase());
  }

  /** Every workflow task replays the run from its beginning, as after a restart of the worker. */
  static TimeSkippingFixture startWithoutCache() {
    return new TimeSkippingFixture(
        new WorkerInterceptorBase(), options -> options.setWorkflowCacheSize(0));
  }

  static TimeSkippingFixture startWith(WorkerInterceptor interceptor, Object... moreActivities) {
    return new TimeSkippingFixture(interceptor, options -> {}, moreActivities);
  }

  /** From now on nothing is heard of the gate so many times before it answers. */
  void loseGate(int times, GateDecision answer) {
    AtomicInteger asked = new AtomicInteger();
    impatience.begin();
    activities.gate =
        input -> {
          if (asked.incrementAndGet() <= times) {
            Activity.getExecutionContext().doNotCompleteOnReturn();
          }
          return answer;
        };
  }

  WorkflowClient client() {
    return environment.getWorkflowClient();
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
