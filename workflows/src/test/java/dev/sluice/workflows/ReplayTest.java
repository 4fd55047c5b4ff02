package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.internal.CopyWorkflowImpl;
import dev.sluice.workflows.internal.DataModelingRunImpl;
import dev.sluice.workflows.internal.ModelCopyWorkflowImpl;
import dev.sluice.workflows.internal.PublishSetWorkflowImpl;
import dev.sluice.workflows.internal.RegisterWorkflowImpl;
import dev.sluice.workflows.internal.RollbackWorkflowImpl;
import io.temporal.activity.ActivityOptions;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.workflow.Workflow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplayTest {

  static Stream<String> scenarios() {
    return StoredHistories.scenarios().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  @DisplayName("WFL-06: stored histories replay")
  void wfl06_storedHistoriesReplay(String scenario) throws Exception {
    WorkflowReplayer.replayWorkflowExecution(stored(scenario), implementation(scenario));
  }

  @Test
  @DisplayName("WFL-06: a run that was closed the first time its gate was not heard of replays")
  void wfl06_aRunFromBeforeTheGateWasAskedAgainReplays() throws Exception {
    WorkflowReplayer.replayWorkflowExecution(
        stored("register-skipped-unanswered"), RegisterWorkflowImpl.class);
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  @DisplayName("WFL-06: the code of today replays what it does today")
  void wfl06_whatRunsTodayReplays(String scenario) throws Exception {
    StoredHistories.Scenario played =
        Objects.requireNonNull(StoredHistories.scenarios().get(scenario), scenario);
    WorkflowReplayer.replayWorkflowExecution(
        StoredHistories.record(played), implementation(scenario));
  }

  @Test
  void aChangedWorkflowDoesNotReplay() throws IOException {
    String history = stored("register-completed");
    assertThatThrownBy(
            () -> WorkflowReplayer.replayWorkflowExecution(history, PublishesAtOnce.class))
        .hasMessageContaining("replay")
        .hasStackTraceContaining("NonDeterministicException");
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void storedHistoriesNameNoMachine(String scenario) throws IOException {
    assertThat(stored(scenario)).contains("\"identity\": \"test\"").doesNotContain("@");
  }

  @Test
  @DisplayName("WFL-06: a worker that keeps nothing between tasks gets to the same end")
  void wfl06_aWorkerWithoutCacheGetsToTheSameEnd() throws InterruptedException {
    try (TimeSkippingFixture fixture = TimeSkippingFixture.startWithoutCache()) {
      Objects.requireNonNull(StoredHistories.scenarios().get("register-continued")).play(fixture);

      assertThat(fixture.result(Triggers.generation(1)).generation()).isEqualTo(Triggers.token(4));
      assertThat(fixture.activities.liveGeneration(Triggers.SOURCE)).isEqualTo(Triggers.token(4));
    }
  }

  private static Class<?> implementation(String scenario) {
    return switch (scenario.substring(0, scenario.indexOf('-'))) {
      case "register" -> RegisterWorkflowImpl.class;
      case "copy" -> CopyWorkflowImpl.class;
      case "model" -> ModelCopyWorkflowImpl.class;
      case "modeling" -> DataModelingRunImpl.class;
      case "rollback" -> RollbackWorkflowImpl.class;
      case "set" -> PublishSetWorkflowImpl.class;
      default -> Workflows.sampleUpstream().getFirst();
    };
  }

  private static String stored(String scenario) throws IOException {
    try (InputStream in =
        ReplayTest.class.getResourceAsStream("/histories/" + scenario + ".json")) {
      return new String(
          Objects.requireNonNull(in, scenario).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A register workflow as it must never become: nothing is verified before it is published. */
  public static final class PublishesAtOnce implements RegisterWorkflow {
    @Override
    public RegisterResult run(RegisterInput input) {
      PublishActivities publish =
          Workflow.newActivityStub(
              PublishActivities.class,
              ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build());
      publish.publish(
          new StageInput(
              input.trigger(),
              new AttemptRef(input.trigger().attemptId(), 1),
              new Preparation("main", "s", "t", "landing", 1, 1)));
      throw new IllegalStateException("not reached by a replay");
    }

    @Override
    public void submit(RegisterTrigger trigger) {
      throw new IllegalStateException("not reached by a replay");
    }

    @Override
    public RegisterProgress progress() {
      throw new IllegalStateException("not reached by a replay");
    }
  }
}
