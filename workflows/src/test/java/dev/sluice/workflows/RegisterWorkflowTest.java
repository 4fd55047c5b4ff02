package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.workflows.activity.GateDecision;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.activity.PublishResult;
import dev.sluice.workflows.activity.TriggerDisposition;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RegisterWorkflowTest {
  private final TemporalFixture fixture = new TemporalFixture();
  private final RecordingActivities activities = fixture.activities;
  private final RegisterTrigger trigger = TemporalFixture.trigger(1);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aTriggerGoesThroughEveryStageAndIsClosed() {
    RegisterResult result = fixture.run(trigger);

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.snapshotId()).isEqualTo(42);
    assertThat(activities.calls)
        .containsExactly(
            "gate", "open 1", "prepare", "land", "inspect", "verify", "publish", "close completed");
    assertThat(activities.triggers)
        .extracting(t -> t.disposition())
        .containsExactly(TriggerDisposition.RUNNING);
  }

  @Test
  void searchAttributesTellTargetAndOutcome() {
    fixture.run(trigger);

    io.temporal.common.SearchAttributes found =
        fixture
            .client()
            .newUntypedWorkflowStub(dev.sluice.workflows.naming.WorkflowIds.of(trigger))
            .describe()
            .getTypedSearchAttributes();
    assertThat(found.get(SearchAttributes.TABLE)).isEqualTo("s.t");
    assertThat(found.get(SearchAttributes.LAKE)).isEqualTo("lake");
    assertThat(found.get(SearchAttributes.SOURCE)).isEqualTo("123/source-1");
    assertThat(found.get(SearchAttributes.PHASE)).isEqualTo("completed");
    assertThat(found.get(SearchAttributes.SNAPSHOT)).isEqualTo(42);
  }

  @Test
  void aClosedGateLeavesAReasonAndNoAttempt() {
    activities.gate = GateDecision.closed("the flag is off");

    RegisterResult result = fixture.run(trigger);

    assertThat(result.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(activities.calls).containsExactly("gate");
    assertThat(activities.triggers)
        .extracting(t -> t.disposition(), t -> t.reason())
        .containsExactly(
            tuple(TriggerDisposition.RUNNING, null),
            tuple(TriggerDisposition.SKIPPED, "the flag is off"));
  }

  @Test
  void aGenerationThatIsLiveAlreadyIsNotDoneAgain() {
    activities.opened = OpenedAttempt.alreadyLive(RecordingActivities.LIVE);

    RegisterResult result = fixture.run(trigger);

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.reason()).isEqualTo("already published as snapshot 42");
    assertThat(activities.calls).containsExactly("gate", "open 1");
  }

  @Test
  void aGenerationSupersededAtPrepareIsClosedAsStale() {
    activities.prepared = PrepareResult.stale("a newer one waits");

    assertThat(fixture.run(trigger).reason()).isEqualTo("a newer one waits");
    assertThat(activities.calls).containsExactly("gate", "open 1", "prepare", "close stale");
  }

  @Test
  void aGenerationSupersededAtPublishIsClosedAsStale() {
    activities.publishing = well -> PublishResult.stale("a newer one is live");

    assertThat(fixture.run(trigger).status()).isEqualTo(RegisterStatus.STALE);
    assertThat(activities.calls).endsWith("publish", "close stale");
  }

  @Test
  void aFailedVerificationIsNotRetriedAndItsTextIsCut() {
    activities.verifying =
        well -> {
          throw ApplicationFailure.newFailure("x".repeat(3000), FailureTypes.VERIFICATION_FAILED);
        };

    assertThatThrownBy(() -> fixture.run(trigger))
        .isInstanceOf(WorkflowFailedException.class)
        .satisfies(
            thrown ->
                assertThat(RegisterResult.ofFailure(thrown))
                    .hasValueSatisfying(
                        result -> assertThat(result.reason()).isEqualTo("x".repeat(2000))))
        .hasMessageContaining("Workflow execution");
    assertThat(Collections.frequency(activities.calls, "verify")).isEqualTo(1);
    assertThat(activities.calls).endsWith("verify", "close failed");
  }

  @Test
  void anUnknownOutcomeIsSettledByTheSameActivity() {
    AtomicInteger tries = new AtomicInteger();
    activities.publishing =
        well -> {
          if (tries.incrementAndGet() == 1) {
            throw ApplicationFailure.newFailure("lost", FailureTypes.COMMIT_OUTCOME_UNKNOWN);
          }
          return well;
        };

    assertThat(fixture.run(trigger).status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(activities.calls).endsWith("publish", "publish", "close completed");
  }

  @Test
  void aCancelledRunIsClosedAsFailed() throws InterruptedException {
    activities.mayLand = new CountDownLatch(1);
    RegisterWorkflow workflow = fixture.start(trigger);
    activities.landing.await();
    WorkflowStub.fromTyped(workflow).cancel();

    assertThatThrownBy(() -> fixture.result(trigger))
        .isInstanceOf(WorkflowFailedException.class)
        .hasCauseInstanceOf(CanceledFailure.class)
        .hasMessageContaining("Workflow execution");
    assertThat(activities.calls).endsWith("land", "close failed");
    assertThat(activities.closings.getFirst().result().reason())
        .isEqualTo("cancelled on request in stage land");
  }

  @Test
  @DisplayName("WFL-01: of the triggers that arrive while one runs, the newest runs next")
  void wfl01_ofTheTriggersThatArriveWhileOneRunsTheNewestRunsNext() throws InterruptedException {
    activities.mayLand = new CountDownLatch(1);
    RegisterWorkflow workflow = fixture.start(trigger);
    activities.landing.await();
    activities.receipts = new CountDownLatch(6);
    for (long epoch : new long[] {3, 5, 4, 2}) {
      workflow.submit(TemporalFixture.trigger(epoch));
    }
    workflow.submit(trigger);
    activities.receipts.await();
    assertThat(workflow.progress().pendingGeneration()).isEqualTo("5");
    activities.mayLand.countDown();

    assertThat(fixture.result(trigger).generation()).isEqualTo("5");
    assertThat(activities.calls).contains("open 1", "open 5").doesNotContain("open 3", "open 4");
    assertThat(activities.triggers)
        .extracting(t -> t.trigger().generation().value(), t -> t.disposition())
        .containsExactly(
            tuple("1", TriggerDisposition.RUNNING),
            tuple("3", TriggerDisposition.PENDING),
            tuple("5", TriggerDisposition.PENDING),
            tuple("3", TriggerDisposition.SUPERSEDED),
            tuple("4", TriggerDisposition.SUPERSEDED),
            tuple("2", TriggerDisposition.SUPERSEDED),
            tuple("1", TriggerDisposition.DUPLICATE),
            tuple("5", TriggerDisposition.RUNNING));
  }
}
