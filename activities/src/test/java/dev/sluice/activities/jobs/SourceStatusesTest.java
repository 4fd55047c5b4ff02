package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.SOURCE;
import static dev.sluice.activities.jobs.StateFixture.START;
import static dev.sluice.activities.jobs.StateFixture.opening;
import static dev.sluice.activities.jobs.StateFixture.record;
import static dev.sluice.activities.jobs.StateFixture.result;
import static dev.sluice.activities.jobs.StateFixture.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceStatusesTest {
  private final StateFixture state = new StateFixture();

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void anUnknownSourceIsNotConfigured() {
    assertThat(state.statuses.of(SOURCE).readiness()).isEqualTo(Readiness.NOT_CONFIGURED);
    assertThat(state.statuses.all()).isEmpty();
  }

  @Test
  void aConfiguredSourceWithoutAttemptsWaits() {
    state.provision();

    SourceStatus status = state.statuses.of(SOURCE);
    assertThat(status.readiness()).isEqualTo(Readiness.WAITING);
    assertThat(status.why()).isEqualTo("it was never triggered");
    assertThat(status.target()).isNull();
    assertThat(state.statuses.all()).containsExactly(status);
  }

  @Test
  void aRunningAttemptIsBackfilling() {
    state.jobs.open(opening(trigger(1), START, "run-1"));

    SourceStatus status = state.statuses.of(SOURCE);
    assertThat(status.readiness()).isEqualTo(Readiness.BACKFILLING);
    assertThat(status.why())
        .isEqualTo("generation 1_0a1b2c3d is being brought in since 2026-11-29T10:00:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "COMPLETED, UP_TO_DATE",
    "FAILED, NEEDS_ATTENTION",
    "STALE, WAITING",
    "SKIPPED, WAITING"
  })
  void statusesMapToReadiness(RegisterStatus ended, Readiness expected) {
    state.ended(trigger(1), START, "run-1", result(ended, trigger(1), "why"));

    assertThat(state.statuses.of(SOURCE).readiness()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"FAILED", "STALE", "SKIPPED"})
  void lastCompletedSurvivesWhatComesAfterIt(RegisterStatus later) {
    state.ended(trigger(1), START, "run-1", result(RegisterStatus.COMPLETED, trigger(1), null));
    Instant applied = Objects.requireNonNull(state.statuses.of(SOURCE).completed()).finishedAt();
    state.ended(trigger(2), START.plusSeconds(60), "run-2", result(later, trigger(2), "broken"));

    SourceStatus status = state.statuses.of(SOURCE);
    assertThat(status.latest()).isNotNull();
    assertThat(status.latest().status().word()).isEqualTo(later.word());
    assertThat(status.completed()).isNotNull();
    assertThat(status.completed().generation()).isEqualTo("1_0a1b2c3d");
    assertThat(status.completed().finishedAt()).isEqualTo(applied);
    assertThat(status.why()).contains("broken");
  }

  @Test
  void theLatestAttemptIsTheOneThatStartedLastNotTheOneOpenedLast() {
    state.ended(
        trigger(2), START.plusSeconds(60), "run-2", result(RegisterStatus.FAILED, trigger(2), "x"));
    state.ended(trigger(1), START, "run-1", result(RegisterStatus.COMPLETED, trigger(1), null));

    assertThat(state.statuses.of(SOURCE).readiness()).isEqualTo(Readiness.NEEDS_ATTENTION);
  }

  @Test
  void aClosedGateIsTheAnswerToWhyNothingHappened() {
    state.provision();
    state.triggers.record(
        new TriggerRecord(
            WorkflowPath.REGISTER,
            trigger(1),
            TriggerDisposition.SKIPPED,
            "flag x is off for team 2",
            "workflow-1",
            "run-1",
            StateFixture.NAMESPACE,
            StateFixture.START));

    assertThat(state.statuses.of(SOURCE).why())
        .isEqualTo("nothing was begun; the gate was closed: flag x is off for team 2");
  }

  @Test
  void aWaitingTriggerIsTold() {
    state.provision();
    state.jobs.open(opening(trigger(1), START, "run-1"));
    state.triggers.record(record(trigger(2), TriggerDisposition.PENDING, "run-1"));

    SourceStatus status = state.statuses.of(SOURCE);
    assertThat(status.pending()).isNotNull();
    assertThat(status.why())
        .startsWith("generation 2_0a1b2c3d waits behind generation 1_0a1b2c3d since ");
  }

  @Test
  void aTableNameFindsItsSource() {
    state.provision();
    state.names.claim(SOURCE, new Target("main", "imports", "flights"), "copy_v1");

    assertThat(state.statuses.ofTable("imports", "flights"))
        .extracting(SourceStatus::source)
        .containsExactly(SOURCE);
    assertThat(state.statuses.ofTable("imports", "other")).isEmpty();
  }

  @Test
  void aStatusReadNeverRaises() {
    state.pool.close();

    SourceStatus status = state.statuses.of(SOURCE);
    assertThat(status.readiness()).isEqualTo(Readiness.UNKNOWN);
    assertThat(status.why()).startsWith("the status cannot be read: ");
  }
}
