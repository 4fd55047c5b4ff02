package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmbeddedTemporalTest {

  private static final SearchAttributeKey<String> TABLE =
      SearchAttributeKey.forKeyword("SluiceTestTable");
  private static final Map<String, IndexedValueType> ATTRIBUTES =
      Map.of(TABLE.getName(), IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD);

  @Test
  void aWorkflowRunsOverTheLoopbackAddressWithATypedSearchAttribute() {
    try (EmbeddedTemporal temporal = EmbeddedTemporal.start(0, ATTRIBUTES)) {
      WorkflowServiceStubs otherProcess =
          WorkflowServiceStubs.newServiceStubs(
              WorkflowServiceStubsOptions.newBuilder().setTarget(temporal.target()).build());
      WorkerFactory factory = WorkerFactory.newInstance(temporal.client());
      Worker worker = factory.newWorker("greetings");
      worker.registerWorkflowImplementationTypes(GreetingImpl.class);
      factory.start();

      String answer =
          WorkflowClient.newInstance(otherProcess)
              .newWorkflowStub(
                  Greeting.class,
                  WorkflowOptions.newBuilder()
                      .setTaskQueue("greetings")
                      .setTypedSearchAttributes(
                          SearchAttributes.newBuilder().set(TABLE, "invoices").build())
                      .build())
              .greet("lake");

      assertThat(answer).isEqualTo("hello lake, about invoices");
      factory.shutdownNow();
      otherProcess.shutdownNow();
    }
  }

  @Test
  void aSecondRegistrationOfASearchAttributeIsRefusedByName() {
    try (EmbeddedTemporal temporal = EmbeddedTemporal.start(0, ATTRIBUTES)) {
      assertThatThrownBy(() -> temporal.registerSearchAttributes(ATTRIBUTES))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("Search attribute SluiceTestTable already exists");
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (EmbeddedTemporal temporal = EmbeddedTemporal.start()) {
      int port = Integer.parseInt(temporal.target().substring("127.0.0.1:".length()));

      assertThatThrownBy(() -> EmbeddedTemporal.start(port, Map.of()))
          .isInstanceOf(EmbeddedStackException.class)
          .hasMessageContaining(
              "embedded Temporal on port " + port + ": the service did not start");
    }
  }

  /** The workflow of this test. */
  @WorkflowInterface
  public interface Greeting {
    /** Greets. */
    @WorkflowMethod
    String greet(String name);
  }

  /** Sleeps a moment of real time, then greets. */
  public static final class GreetingImpl implements Greeting {
    @Override
    public String greet(String name) {
      Workflow.sleep(Duration.ofMillis(1));
      return "hello " + name + ", about " + Workflow.getTypedSearchAttributes().get(TABLE);
    }
  }
}
