package dev.sluice.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.GateDecision;
import dev.sluice.workflows.activity.PublishResult;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.VerifyResult;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RegisterOutcomesTest {
  private final TimeSkippingFixture fixture = TimeSkippingFixture.start();
  private final ModelActivities activities = fixture.activities;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aTriggerGoesThroughEveryStageInOrder() {
    RegisterResult result = fixture.run(Triggers.generation(1));

    assertThat(result)
        .isEqualTo(
            new RegisterResult(
                RegisterStatus.COMPLETED,
                null,
                null,
                "job-1:" + Triggers.token(1),
                Triggers.token(1),
                "insights_data_imports_team_123",
                "stripe_invoices",
                ModelActivities.ROWS,
                ModelActivities.FILES,
                ModelActivities.BYTES,
                1L));
    assertThat(activities.calls)
        .containsExactly(
            "record-trigger",
            "gate",
            "open-attempt",
            "prepare",
            "land",
            "inspect",
            "verify",
            "publish",
            "close-attempt");
    assertThat(activities.closings)
        .singleElement()
        .satisfies(
            closing -> {
              assertThat(closing.attempt().key()).isEqualTo(result.attemptId() + "#1");
              assertThat(closing.result()).isEqualTo(result);
            });
  }

  @Test
  @DisplayName("writer bug 32: nothing is done for a trigger before it is written down")
  void nothingIsDoneForATriggerBeforeItIsWrittenDown() {
    AtomicInteger tries = new AtomicInteger();
    activities.receipt =
        input -> {
          if (tries.incrementAndGet() <= 2) {
            throw new IllegalStateException("the home database is away");
          }
          return new TriggerReceipt(input.disposition(), null);
        };

    assertThat(fixture.run(Triggers.generation(1)).status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(activities.calls)
        .startsWith("record-trigger", "record-trigger", "record-trigger", "gate", "open-attempt");
  }

  @Test
  @DisplayName("writer bug 32: an attempt is closed once the outcome of its commit is known")
  void anAttemptIsClosedOnceTheOutcomeOfItsCommitIsKnown() {
    AtomicInteger tries = new AtomicInteger();
    Function<StageInput, PublishResult> publishing = activities.publish;
    activities.publish =
        input -> {
          PublishResult result = publishing.apply(input);
          if (tries.incrementAndGet() <= 2) {
            throw ApplicationFailure.newFailure(
                "it is not known whether the commit took place",
                FailureTypes.COMMIT_OUTCOME_UNKNOWN);
          }
          return result;
        };

    RegisterResult result = fixture.run(Triggers.generation(1));

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(activities.calls).endsWith("publish", "publish", "publish", "close-attempt");
    assertThat(activities.closings)
        .singleElement()
        .satisfies(closing -> assertThat(closing.result()).isEqualTo(result));
  }

  @Test
  void aGateThatCannotAnswerIsClosedAndNotAskedAgain() {
    activities.gate =
        input -> {
          throw new IllegalStateException("no flags file");
        };

    RegisterResult result = fixture.run(Triggers.generation(1));

    assertThat(result.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(result.reason())
        .isEqualTo("gate: closed because it could not be asked; no flags file");
    assertThat(activities.calls).containsExactly("record-trigger", "gate", "record-trigger");
  }

  @Test
  @DisplayName("WFL-02: a gate whose worker died is asked again, and its answer counts")
  void wfl02_aGateWhoseWorkerDiedIsAskedAgain() {
    fixture.loseGate(2, GateDecision.open());

    assertThat(fixture.run(Triggers.generation(1)).status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(activities.calls)
        .startsWith("record-trigger", "gate", "gate", "gate", "open-attempt");
  }

  @Test
  void aGateThatNeverAnswersIsClosed() {
    fixture.loseGate(4, GateDecision.open());

    RegisterResult result = fixture.run(Triggers.generation(1));

    assertThat(result.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(result.reason())
        .startsWith("gate: closed because it could not be asked in 3 tries; gate: no outcome")
        .contains("START_TO_CLOSE time-out");
    assertThat(activities.calls)
        .containsExactly("record-trigger", "gate", "gate", "gate", "record-trigger");
  }

  @Test
  void aSetAsksTheGateOfALostMemberAgain() {
    fixture.loseGate(1, GateDecision.closed("flag is off"));

    PublishSetResult result = StoredHistories.publishSet(fixture);

    assertThat(result.status()).isEqualTo(RegisterStatus.SKIPPED);
    assertThat(result.reason()).endsWith("flag is off");
    assertThat(activities.calls).filteredOn("gate"::equals).hasSize(2);
  }

  @Test
  void anOlderGenerationThatComesLateIsStaleAtPublish() {
    fixture.run(Triggers.generation(2));

    RegisterResult result = fixture.run(Triggers.generation(1));

    assertThat(result.status()).isEqualTo(RegisterStatus.STALE);
    assertThat(result.reason())
        .isEqualTo("generation " + Triggers.token(2) + " is published already");
    assertThat(result.table()).isEqualTo("stripe_invoices");
    assertThat(activities.liveGeneration(Triggers.SOURCE)).isEqualTo(Triggers.token(2));
  }

  @Test
  void anAttemptThatWasFencedEndsAsStale() {
    activities.publish =
        input -> {
          throw ApplicationFailure.newNonRetryableFailure(
              "attempt was reaped", FailureTypes.ATTEMPT_FENCED);
        };

    RegisterResult result = fixture.run(Triggers.generation(1));

    assertThat(result.status()).isEqualTo(RegisterStatus.STALE);
    assertThat(result.reason()).isEqualTo("attempt was reaped");
  }

  @ParameterizedTest
  @MethodSource("dev.sluice.workflows.FailureTypes#nonRetryable")
  void whatNoRetryCanMendFailsTheAttemptAtOnce(String type) {
    activities.verify =
        input -> {
          throw ApplicationFailure.newFailure("rows: 30 expected, 29 found", type);
        };
    if (type.equals(FailureTypes.ATTEMPT_FENCED)) {
      assertThat(fixture.run(Triggers.generation(1)).status()).isEqualTo(RegisterStatus.STALE);
    } else {
      WorkflowFailedException failure = failureOf(Triggers.generation(1));

      assertThat(failure.getCause())
          .isInstanceOfSatisfying(
              ApplicationFailure.class,
              cause -> {
                assertThat(cause.getType()).isEqualTo(type);
                assertThat(cause.getOriginalMessage()).isEqualTo("rows: 30 expected, 29 found");
              });
      assertThat(RegisterResult.ofFailure(failure)).contains(closing().result());
      assertThat(closing().result().status()).isEqualTo(RegisterStatus.FAILED);
      assertThat(closing().result().reason()).isEqualTo("rows: 30 expected, 29 found");
    }
    assertThat(activities.calls).containsOnlyOnce("verify").doesNotContain("publish");
  }

  @ParameterizedTest
  @MethodSource("dev.sluice.workflows.FailureTypes#retryable")
  void whatARetryCanMendIsRetried(String type) {
    AtomicInteger tries = new AtomicInteger();
    activities.publish =
        input -> {
          if (tries.incrementAndGet() < 4) {
            throw ApplicationFailure.newFailure("not yet", type);
          }
          return activities.publishUnlessOlder(input);
        };

    RegisterResult result = fixture.run(Triggers.generation(1));

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(tries).hasValue(4);
    assertThat(activities.closings).hasSize(1);
  }

  @Test
  void anUnknownOutcomeIsSettledByPublishingAgain() {
    AtomicInteger tries = new AtomicInteger();
    activities.publish =
        input -> {
          PublishResult published = activities.publishUnlessOlder(input);
          if (tries.incrementAndGet() == 1) {
            throw ApplicationFailure.newFailure(
                "connection lost during COMMIT", FailureTypes.COMMIT_OUTCOME_UNKNOWN);
          }
          return published;
        };

    RegisterResult result = fixture.run(Triggers.generation(1));

    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.snapshotId()).isEqualTo(1);
    assertThat(activities.calls).containsOnlyOnce("land", "verify", "close-attempt");
  }

  @Test
  void aPublicationThatNobodyHeardOfCompletesTheAttemptWhenItIsClosed() {
    activities.publish =
        input -> {
          activities.publishUnlessOlder(input);
          throw ApplicationFailure.newNonRetryableFailure(
              "gave up", FailureTypes.COMMIT_OUTCOME_UNKNOWN);
        };
    activities.close =
        closing ->
            new RegisterResult(
                RegisterStatus.COMPLETED,
                null,
                null,
                closing.attempt().attemptId(),
                closing.result().generation(),
                "s",
                "t",
                1L,
                1L,
                1L,
                7L);

    RegisterResult result = fixture.run(Triggers.generation(1));

    assertThat(closing().result().status()).isEqualTo(RegisterStatus.FAILED);
    assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(result.snapshotId()).isEqualTo(7);
  }

  @Test
  void longErrorTextsAreCutAt2000Characters() {
    activities.land =
        input -> {
          throw ApplicationFailure.newNonRetryableFailure(
              "x".repeat(1999) + "😀".repeat(2000), FailureTypes.BAD_SOURCE);
        };

    failureOf(Triggers.generation(1));

    assertThat(closing().result().reason()).isEqualTo("x".repeat(1999));
  }

  @Test
  void aFailedGenerationCanBeTriggeredAgain() {
    AtomicInteger tries = new AtomicInteger();
    activities.verify =
        input -> {
          if (tries.incrementAndGet() == 1) {
            throw ApplicationFailure.newNonRetryableFailure("no", FailureTypes.VERIFICATION_FAILED);
          }
          return new VerifyResult(1, ModelActivities.ROWS);
        };
    failureOf(Triggers.generation(1));

    assertThat(fixture.run(Triggers.generation(1)).status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(activities.closings)
        .extracting(closing -> closing.attempt().number())
        .containsExactly(1, 2);
  }

  @Test
  void theLiveGenerationIsNotPublishedTwice() {
    RegisterResult first = fixture.run(Triggers.generation(1));

    RegisterResult second = fixture.run(Triggers.generation(1));

    assertThat(second.status()).isEqualTo(RegisterStatus.COMPLETED);
    assertThat(second.reason()).isEqualTo("already published as snapshot 1");
    assertThat(second.snapshotId()).isEqualTo(first.snapshotId());
    assertThat(activities.calls).containsOnlyOnce("publish", "close-attempt");
  }

  @Test
  void aTriggerThatTheJobTableRefusesFailsBeforeTheGate() {
    activities.receipt =
        entry -> new TriggerReceipt(TriggerDisposition.REFUSED, "trigger of job-1: not so");

    WorkflowFailedException failure = failureOf(Triggers.generation(1));

    assertThat(RegisterResult.ofFailure(failure).orElseThrow().reason())
        .isEqualTo("trigger of job-1: not so");
    assertThat(RegisterResult.ofFailure(failure).orElseThrow().failureType())
        .isEqualTo(FailureTypes.INVALID_INPUT);
    assertThat(activities.calls).containsExactly("record-trigger");
  }

  @Test
  void theHomeDatabaseMayBeAwayForLong() {
    AtomicInteger tries = new AtomicInteger();
    activities.receipt =
        entry -> {
          if (tries.incrementAndGet() < 50) {
            throw new IllegalStateException("connection refused");
          }
          return TriggerReceipt.asAsked(entry);
        };

    assertThat(fixture.run(Triggers.generation(1)).status()).isEqualTo(RegisterStatus.COMPLETED);
  }

  @Test
  @DisplayName("WFL-04: payloads stay small whatever the number of files")
  void wfl04_payloadsStaySmallWhateverTheNumberOfFiles() {
    RegisterWorkflow run = fixture.begin(Triggers.generation(1));
    WorkflowStub.fromTyped(run).getResult(RegisterResult.class);

    List<HistoryEvent> events = fixture.history(run).getEvents();

    assertThat(events).hasSizeLessThan(100);
    assertThat(events).allSatisfy(e -> assertThat(e.getSerializedSize()).isLessThan(4096));
  }

  @Test
  void progressTellsWhatIsKnown() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    activities.land = ModelActivities.waitingFor(started, go);
    RegisterTrigger trigger = Triggers.generation(1);
    RegisterWorkflow run = fixture.begin(trigger);
    started.await();

    RegisterProgress landing = run.progress();
    go.countDown();
    RegisterResult result = fixture.result(trigger);

    assertThat(landing)
        .isEqualTo(
            new RegisterProgress(
                RegisterStage.LAND,
                trigger.attemptId(),
                1,
                "insights_data_imports_team_123",
                "stripe_invoices",
                0,
                ModelActivities.FILES,
                0,
                ModelActivities.BYTES,
                null,
                null,
                null));
    RegisterProgress done = run.progress();
    assertThat(done.stage()).isEqualTo(RegisterStage.DONE);
    assertThat(done.filesDone()).isEqualTo(ModelActivities.FILES);
    assertThat(done.rows()).isEqualTo(ModelActivities.ROWS);
    assertThat(done.result()).isEqualTo(result);
  }

  private AttemptClosing closing() {
    assertThat(activities.closings).hasSize(1);
    return activities.closings.getFirst();
  }

  private WorkflowFailedException failureOf(RegisterTrigger trigger) {
    return catchThrowableOfType(WorkflowFailedException.class, () -> fixture.run(trigger));
  }
}
