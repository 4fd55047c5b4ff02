package dev.sluice.workflows;

import dev.sluice.embedded.EmbeddedTemporal;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An in-memory Temporal service and one worker with recording activities. */
final class TemporalFixture implements AutoCloseable {
  final RecordingActivities activities = new RecordingActivities();
  private final EmbeddedTemporal temporal = EmbeddedTemporal.start(0, attributes());
  private final WorkerFactory factory = WorkerFactory.newInstance(temporal.client());

  TemporalFixture(Object... moreActivities) {
    Worker worker = factory.newWorker(Workflows.TASK_QUEUE);
    Workflows.implementations().forEach(worker::registerWorkflowImplementationTypes);
    Workflows.sampleUpstream().forEach(worker::registerWorkflowImplementationTypes);
    worker.registerActivitiesImplementations(activities);
    if (moreActivities.length > 0) {
      worker.registerActivitiesImplementations(moreActivities);
    }
    factory.start();
  }

  WorkflowClient client() {
    return temporal.client();
  }

  /** Starts the source's register workflow. */
  RegisterWorkflow start(RegisterTrigger trigger) {
    RegisterWorkflow workflow =
        client()
            .newWorkflowStub(
                RegisterWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .setWorkflowId(WorkflowIds.of(trigger))
                    .build());
    WorkflowClient.start(workflow::run, RegisterInput.of(trigger));
    return workflow;
  }

  /** Waits for the end of the source's chain of runs. */
  RegisterResult result(RegisterTrigger trigger) {
    return client().newUntypedWorkflowStub(WorkflowIds.of(trigger)).getResult(RegisterResult.class);
  }

  RegisterResult run(RegisterTrigger trigger) {
    return WorkflowStub.fromTyped(start(trigger)).getResult(RegisterResult.class);
  }

  /** A trigger of one source; the epoch orders it and names its generation. */
  static RegisterTrigger trigger(long epoch) {
    return new RegisterTrigger(
        123,
        "job",
        "source-1",
        "Stripe",
        null,
        "invoices",
        "invoices__query_" + epoch,
        ProducerOrder.ofFolder("invoices__query_" + epoch),
        null,
        null);
  }

  private static Map<String, IndexedValueType> attributes() {
    Map<String, IndexedValueType> types = new LinkedHashMap<>();
    SearchAttributes.all().forEach(key -> types.put(key.getName(), key.getValueType()));
    return types;
  }

  @Override
  public void close() {
    factory.shutdownNow();
    // The worker's polls must end before the service, or it logs every one of them.
    factory.awaitTermination(5, TimeUnit.SECONDS);
    temporal.close();
  }
}
