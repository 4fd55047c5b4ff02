package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.embedded.EmbeddedTemporal;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.ImportTableInput;
import dev.sluice.workflows.upstream.ImportedTable;
import dev.sluice.workflows.upstream.TriggerSender;
import dev.sluice.workflows.upstream.UpstreamImport;
import dev.sluice.workflows.upstream.UpstreamImportActivities;
import dev.sluice.workflows.upstream.UpstreamImportInput;
import dev.sluice.workflows.upstream.UpstreamTable;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.temporal.api.enums.v1.CommandType;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import io.temporal.serviceclient.RpcRetryOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The Temporal front end is unreachable while a trigger is sent. */
class OutageTest {
  private static final int LONGER_THAN_ANY_RETRY = Integer.MAX_VALUE;

  private final RecordingActivities activities = new RecordingActivities();
  private final EmbeddedTemporal temporal = EmbeddedTemporal.start(0, attributes());
  private final Outage outage = new Outage();
  private final WorkflowServiceStubs stubs =
      WorkflowServiceStubs.newServiceStubs(
          WorkflowServiceStubsOptions.newBuilder()
              .setTarget(temporal.target())
              .setGrpcClientInterceptors(List.of(outage))
              .setRpcRetryOptions(
                  RpcRetryOptions.newBuilder()
                      .setInitialInterval(Duration.ofMillis(20))
                      .setExpiration(Duration.ofSeconds(3))
                      .validateBuildWithDefaults())
              .build());
  private final WorkflowClient client = WorkflowClient.newInstance(stubs);
  private final WorkerFactory factory = WorkerFactory.newInstance(client);

  OutageTest() {
    Worker worker = factory.newWorker(Workflows.TASK_QUEUE);
    Workflows.implementations().forEach(worker::registerWorkflowImplementationTypes);
    Workflows.sampleUpstream().forEach(worker::registerWorkflowImplementationTypes);
    worker.registerActivitiesImplementations(activities, new Importer());
    factory.start();
  }

  @AfterEach
  void close() {
    outage.end();
    factory.shutdownNow();
    factory.awaitTermination(5, TimeUnit.SECONDS);
    stubs.shutdownNow();
    temporal.close();
  }

  @Test
  @DisplayName("WFL-07: a trigger that cannot be sent is reported, and nothing is marked as done")
  void wfl07_aTriggerThatCannotBeSentIsReported() {
    outage.begin(StartWorkflowExecutionRequest.class::isInstance, LONGER_THAN_ANY_RETRY);
    TriggerSender starter = new TriggerSender(client, Workflows.TASK_QUEUE);
    RegisterTrigger trigger = TemporalFixture.trigger(1001);

    assertThatThrownBy(() -> starter.send(trigger))
        .isInstanceOf(WorkflowServiceException.class)
        .rootCause()
        .hasMessageContaining("UNAVAILABLE");
    assertThat(activities.triggers).isEmpty();
    assertThat(activities.calls).isEmpty();

    outage.end();
    assertThat(starter.send(trigger).outcome()).isEqualTo(ChildStart.Outcome.STARTED);
  }

  @Test
  @DisplayName("WFL-07: a short outage is ridden out, and one run is started")
  void wfl07_aShortOutageIsRiddenOut() {
    outage.begin(StartWorkflowExecutionRequest.class::isInstance, 3);
    RegisterTrigger trigger = TemporalFixture.trigger(1001);

    ChildStart start = new TriggerSender(client, Workflows.TASK_QUEUE).send(trigger);
    client.newUntypedWorkflowStub(start.workflowId()).getResult(RegisterResult.class);

    assertThat(outage.refused()).isEqualTo(3);
    assertThat(start.outcome()).isEqualTo(ChildStart.Outcome.STARTED);
    assertThat(start.runId()).isNotNull();
    assertThat(activities.triggers).hasSize(1);
  }

  @Test
  @DisplayName("WFL-07: a parent keeps its trigger and sends it when Temporal is back")
  void wfl07_aParentKeepsItsTriggerAndSendsItLater() {
    outage.begin(OutageTest::startsAChild, 3);

    ChildStart start =
        client
            .newWorkflowStub(
                UpstreamImport.class,
                WorkflowOptions.newBuilder().setTaskQueue(Workflows.TASK_QUEUE).build())
            .run(
                new UpstreamImportInput(
                    123,
                    "job",
                    "Stripe",
                    null,
                    List.of(new UpstreamTable("invoices", "source-1")),
                    null,
                    null,
                    null))
            .registrations()
            .getFirst();
    client.newUntypedWorkflowStub(start.workflowId()).getResult(RegisterResult.class);

    assertThat(outage.refused()).isEqualTo(3);
    assertThat(start.outcome()).isEqualTo(ChildStart.Outcome.STARTED);
    assertThat(activities.triggers)
        .extracting(TriggerRecord::disposition)
        .containsExactly(TriggerDisposition.RUNNING);
  }

  private static boolean startsAChild(Object request) {
    return request instanceof RespondWorkflowTaskCompletedRequest completed
        && completed.getCommandsList().stream()
            .anyMatch(
                command ->
                    command.getCommandType()
                        == CommandType.COMMAND_TYPE_START_CHILD_WORKFLOW_EXECUTION);
  }

  private static Map<String, IndexedValueType> attributes() {
    Map<String, IndexedValueType> types = new LinkedHashMap<>();
    SearchAttributes.all().forEach(key -> types.put(key.getName(), key.getValueType()));
    return types;
  }

  private static final class Importer implements UpstreamImportActivities {
    @Override
    public ImportedTable importTable(ImportTableInput input) {
      String folder = input.table().table() + "__query_1001";
      return new ImportedTable(folder, ProducerOrder.ofFolder(folder));
    }
  }

  /** Answers chosen requests as a front end that is not there, so many times. */
  private static final class Outage implements ClientInterceptor {
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile Predicate<Object> meant = request -> false;

    void begin(Predicate<Object> requests, int times) {
      meant = requests;
      left.set(times);
    }

    void end() {
      left.set(0);
    }

    int refused() {
      return refused.get();
    }

    private boolean isDownFor(Object request) {
      if (!meant.test(request) || left.getAndUpdate(n -> Math.max(0, n - 1)) == 0) {
        return false;
      }
      refused.incrementAndGet();
      return true;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
        private Listener<A> answers = new Listener<>() {};

        @Override
        public void start(Listener<A> listener, Metadata headers) {
          answers =
              new Listener<>() {
                private boolean over;

                @Override
                public void onMessage(A message) {
                  listener.onMessage(message);
                }

                @Override
                public void onHeaders(Metadata received) {
                  listener.onHeaders(received);
                }

                @Override
                public void onReady() {
                  listener.onReady();
                }

                @Override
                public void onClose(Status status, Metadata trailers) {
                  if (!over) {
                    over = true;
                    listener.onClose(status, trailers);
                  }
                }
              };
          super.start(answers, headers);
        }

        @Override
        public void sendMessage(Q message) {
          if (isDownFor(message)) {
            cancel("the front end is not there", null);
            answers.onClose(Status.UNAVAILABLE.withDescription("a test"), new Metadata());
            return;
          }
          super.sendMessage(message);
        }

        @Override
        public void halfClose() {
          try {
            super.halfClose();
          } catch (IllegalStateException alreadyCancelled) {
            // the call was refused: there is nothing to end
          }
        }
      };
    }
  }
}
