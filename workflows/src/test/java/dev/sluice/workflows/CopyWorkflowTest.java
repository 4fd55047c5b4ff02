package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.activity.CopyPlan;
import dev.sluice.workflows.activity.CopyPrepareInput;
import dev.sluice.workflows.activity.CopyPrepareInput.Patience;
import dev.sluice.workflows.activity.GateDecision;
import dev.sluice.workflows.activity.LandResult;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CopyWorkflowTest {
  private final TimeSkippingFixture fixture = TimeSkippingFixture.start();
  private final ModelActivities activities = fixture.activities;
  private final RegisterTrigger newest = Triggers.copy(ProducerOrder.NEWEST_DELTA_VERSION);

  @AfterEach
  void close() {
    fixture.close();
  }

  private CopyWorkflow stub(String workflowId) {
    return fixture
        .client()
        .newWorkflowStub(
            CopyWorkflow.class,
            WorkflowOptions.newBuilder()
                .setWorkflowId(workflowId)
                .setTaskQueue(Workflows.TASK_QUEUE)
                .build());
  }

  private RegisterResult run(RegisterTrigger trigger) {
    return stub(WorkflowIds.of(trigger)).run(CopyInput.of(trigger));
  }

  /** The run's timers, by its history: the clock of the service also skips ahead on its own. */
  private List<String> timersOf(CopyWorkflow run) {
    return Pattern.compile("\"startToFireTimeout\": \"([^\"]*)\"")
        .matcher(fixture.history(run).toJson(true))
        .results()
        .map(timer -> timer.group(1))
        .toList();
  }

  @Test
  void theVersionThatPrepareFindsIsWhatEveryLaterStageIsAbout() {
    RegisterResult result = run(newest);

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.generation()).isEqualTo("v12");
    assertThat(result.attemptId()).isEqualTo(newest.jobId());
    assertThat(activities.calls)
        .containsExactly(
            "record-trigger",
            "gate",
            "open-attempt",
            "copy-prepare",
            "copy-land v12",
            "inspect",
            "copy-verify",
            "publish",
            "close-attempt");
    assertThat(activities.closings.get(0).trigger().order())
        .isEqualTo(ProducerOrder.deltaVersion(12));
    assertThat(activities.closings.get(0).path()).isEqualTo(WorkflowPath.COPY);
  }

  @Test
  void aTableThatIsOrderedByTheEndOfImportsKeepsThatOrder() {
    ProducerOrder order = new ProducerOrder(ProducerOrder.Kind.IMPORT_FINISHED, 5);

    assertThat(run(Triggers.copy(order)).generation()).isEqualTo("v12");
    assertThat(activities.closings.get(0).trigger().order()).isEqualTo(order);
  }

  @Test
  void aLogThatIsBeingRebuiltIsWaitedForOutsideOfActivities() {
    AtomicInteger looks = new AtomicInteger();
    activities.planCopy =
        input ->
            looks.incrementAndGet() <= 7
                ? CopyPlan.waiting("its log is being rebuilt")
                : ModelActivities.ready(input, 1);
    CopyWorkflow run = stub(WorkflowIds.of(newest));

    assertThat(run.run(CopyInput.of(newest)).status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(timersOf(run)).hasSize(7).containsOnly("20s");
    assertThat(activities.plans).extracting(CopyPrepareInput::patience).containsOnly(Patience.WAIT);
  }

  @Test
  void theWaitEndsAfterTenMinutesWithTheLastReason() {
    activities.planCopy =
        input -> {
          if (input.patience() == Patience.WAIT) {
            return CopyPlan.waiting("its log is being rebuilt");
          }
          throw ApplicationFailure.newNonRetryableFailure(
              "no log at s3://x/_delta_log", FailureTypes.BAD_SOURCE);
        };

    assertThatThrownBy(() -> run(newest))
        .isInstanceOf(WorkflowFailedException.class)
        .cause()
        .hasMessageContaining("no log at s3://x/_delta_log");
    // one look every 20 s, and the last one after 600 s
    assertThat(activities.plans).hasSize(31);
  }

  @Test
  void aVersionWhoseFilesVanishIsPlannedAnew() {
    AtomicInteger versions = new AtomicInteger(4);
    activities.planCopy = input -> ModelActivities.ready(input, versions.incrementAndGet());
    AtomicInteger landings = new AtomicInteger();
    activities.land =
        input -> {
          if (landings.incrementAndGet() < 3) {
            throw gone(input.trigger().generation().value());
          }
          return new LandResult(1, 1);
        };

    assertThat(run(newest).generation()).isEqualTo("v7");
    assertThat(activities.plans)
        .extracting(CopyPrepareInput::goneVersion)
        .containsExactly(null, 5L, 6L);
  }

  @Test
  void filesThatVanishAgainAndAgainEndTheAttempt() {
    activities.land =
        input -> {
          throw gone("part-1.parquet");
        };

    assertThatThrownBy(() -> run(newest)).cause().hasMessageContaining("part-1.parquet is gone");
    assertThat(activities.plans).hasSize(4);
  }

  private static ApplicationFailure gone(String file) {
    return ApplicationFailure.newNonRetryableFailure(
        file + " is gone", FailureTypes.SOURCE_FILES_GONE);
  }

  @Test
  void aClosedGateEndsTheRunWithItsReason() {
    activities.gate = input -> GateDecision.closed("flag of " + input.path().word() + " is off");

    RegisterResult result = run(newest);

    assertThat(result.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(result.reason()).isEqualTo("flag of copy is off");
    assertThat(activities.calls).doesNotContain("open-attempt");
  }

  @Test
  void anEmptyListEndsBeforeTheGate() {
    RegisterResult result = stub("copy-nothing").run(CopyInput.of());

    assertThat(result.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(result.reason()).contains("no source was named");
    assertThat(activities.calls).isEmpty();
  }

  @Test
  void sourcesOfOtherWorkflowsGoToTheirs() {
    RegisterTrigger other =
        RegisterTrigger.copy(
            123, "job-1", "source-2", "Stripe", null, "customers", newest.order(), null, null);

    RegisterResult result = stub(WorkflowIds.of(newest)).run(CopyInput.of(newest, other));

    assertThat(result.attemptId()).isEqualTo(newest.jobId());
    assertThat(fixture.result(other).status()).isEqualTo(RegisterStatus.COMPLETED);
  }

  @Test
  void anUnpinnedTriggerThatWaitsIsNewerThanAnyVersion() throws InterruptedException {
    CountDownLatch landing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    activities.land = ModelActivities.waitingFor(landing, go);
    RegisterTrigger first = Triggers.copy(ProducerOrder.deltaVersion(1));
    activities.planCopy =
        input ->
            ModelActivities.ready(input, input.trigger().order().findDeltaVersion().orElse(30L));
    CopyWorkflow run = stub(WorkflowIds.of(first));
    WorkflowClient.start(run::run, CopyInput.of(first));
    landing.await();
    run.submit(newest);
    run.submit(Triggers.copy(ProducerOrder.deltaVersion(20)));
    go.countDown();
    WorkflowStub.fromTyped(run).getResult(RegisterResult.class);

    assertThat(fixture.result(first).generation()).isEqualTo("v30");
    assertThat(activities.triggers)
        .filteredOn(each -> each.disposition() == TriggerDisposition.SUPERSEDED)
        .extracting(each -> each.trigger().order())
        .containsExactly(ProducerOrder.deltaVersion(20));
  }
}
