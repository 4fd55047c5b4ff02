package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.SOURCE;
import static dev.sluice.activities.jobs.StateFixture.START;
import static dev.sluice.activities.jobs.StateFixture.key;
import static dev.sluice.activities.jobs.StateFixture.opening;
import static dev.sluice.activities.jobs.StateFixture.record;
import static dev.sluice.activities.jobs.StateFixture.result;
import static dev.sluice.activities.jobs.StateFixture.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.WorkflowPath;
import org.jooq.exception.IntegrityConstraintViolationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SourceJobsTest {
  private final StateFixture state = new StateFixture();
  private final RegisterTrigger trigger = trigger(100);

  @BeforeEach
  void provision() {
    state.provision();
  }

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void attemptsOfAGenerationAreNumberedAndAppended() {
    AttemptRef first = state.jobs.open(opening(trigger, START, "run-1"));
    state.jobs.close(key(first), result(RegisterStatus.FAILED, trigger, "broken"));
    AttemptRef second = state.jobs.open(opening(trigger, START.plusSeconds(60), "run-2"));

    assertThat(first).isEqualTo(new AttemptRef("job-100:100_0a1b2c3d", 1));
    assertThat(second).isEqualTo(new AttemptRef("job-100:100_0a1b2c3d", 2));
    assertThat(state.jobs.history(SOURCE, 10))
        .extracting(SourceJob::status)
        .containsExactly(JobStatus.RUNNING, JobStatus.FAILED);
    assertThat(state.jobs.find(key(second)).orElseThrow().opening())
        .isGreaterThan(state.jobs.find(key(first)).orElseThrow().opening());
  }

  @Test
  void theRunThatAsksTwiceIsAnsweredWithTheSameNumber() {
    AttemptRef first = state.jobs.open(opening(trigger, START, "run-1"));
    AttemptRef again = state.jobs.open(opening(trigger, START, "run-1"));

    assertThat(again).isEqualTo(first);
    assertThat(state.jobs.running()).hasSize(1);
    assertThat(state.events.newest(SOURCE, 10)).hasSize(1);
  }

  @Test
  void closingStoresTheOutcomeAndSettlesTheTrigger() {
    state.triggers.record(record(trigger, TriggerDisposition.RUNNING, "run-1"));
    AttemptRef attempt = state.jobs.open(opening(trigger, START, "run-1"));
    state.jobs.noteTarget(key(attempt), "main", "s", "t");
    SourceJob stored =
        state.jobs.close(key(attempt), result(RegisterStatus.COMPLETED, trigger, null));

    assertThat(stored.status()).isEqualTo(JobStatus.COMPLETED);
    assertThat(stored.finishedAt()).isNotNull();
    assertThat(stored.rows()).isEqualTo(10);
    assertThat(stored.files()).isEqualTo(2);
    assertThat(stored.bytes()).isEqualTo(2048);
    assertThat(stored.snapshotId()).isEqualTo(7);
    assertThat(stored.lake()).isEqualTo("main");
    assertThat(stored.table()).isEqualTo("postgres_prod_flights");
    assertThat(stored.startedAt()).isEqualTo(START);
    assertThat(
            state
                .triggers
                .find(WorkflowPath.REGISTER, SOURCE, trigger.attemptId())
                .orElseThrow()
                .state())
        .isEqualTo(TriggerState.COMPLETED);
    assertThat(state.events.newest(SOURCE, 10))
        .extracting(SourceEvent::kind)
        .containsExactly(EventKind.COMPLETED, EventKind.RUNNING);
  }

  @ParameterizedTest
  @EnumSource(RegisterStatus.class)
  void anEndedAttemptKeepsItsOutcomeAgainstALateWriter(RegisterStatus late) {
    AttemptRef attempt = state.jobs.open(opening(trigger, START, "run-1"));
    SourceJob first =
        state.jobs.close(key(attempt), result(RegisterStatus.STALE, trigger, "older"));

    SourceJob answer = state.jobs.close(key(attempt), result(late, trigger, "late"));

    assertThat(answer).isEqualTo(first);
    assertThat(answer.reason()).isEqualTo("older");
    assertThat(state.events.newest(SOURCE, 10)).hasSize(2);
  }

  @Test
  void aLateWriterOfAnEarlierAttemptDoesNotTouchTheNextOne() {
    AttemptRef zombie = state.jobs.open(opening(trigger, START, "run-1"));
    AttemptRef next = state.jobs.open(opening(trigger, START.plusSeconds(5), "run-2"));
    state.jobs.close(key(next), result(RegisterStatus.COMPLETED, trigger, null));

    state.jobs.close(key(zombie), result(RegisterStatus.FAILED, trigger, "lost"));

    assertThat(state.jobs.find(key(next)).orElseThrow().status()).isEqualTo(JobStatus.COMPLETED);
    assertThat(state.jobs.find(key(zombie)).orElseThrow().status()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void anErrorIsCutRedactedAndFreeOfNul() {
    AttemptRef attempt = state.jobs.open(opening(trigger, START, "run-1"));
    String error =
        "catalog: refused\0; postgresql://insights:s3cr3t-word@db/lake password=abc123 "
            + "é".repeat(3000);

    SourceJob stored =
        state.jobs.close(key(attempt), result(RegisterStatus.FAILED, trigger, error));

    assertThat(stored.latestError())
        .hasSize(ErrorText.MAX_LENGTH)
        .startsWith(
            "catalog: refused; postgresql://insights:<redacted>@db/lake password=<redacted> é")
        .doesNotContain("s3cr3t-word")
        .doesNotContain("abc123");
    assertThat(stored.reason()).isNull();
  }

  @Test
  void anAttemptThatWasPublishedIsReconciledWhateverWasStored() {
    AttemptRef attempt = state.jobs.open(opening(trigger, START, "run-1"));
    state.jobs.close(key(attempt), result(RegisterStatus.FAILED, trigger, "answer lost"));

    SourceJob corrected =
        state.jobs.reconcile(key(attempt), new LivePublication("s", "t", 9, 11, 3, 4096));

    assertThat(corrected.status()).isEqualTo(JobStatus.COMPLETED);
    assertThat(corrected.snapshotId()).isEqualTo(9);
    assertThat(corrected.latestError()).isNull();
    assertThat(state.events.newest(SOURCE, 1).getFirst().reason())
        .isEqualTo("was failed, is published at snapshot 9");
  }

  @Test
  void closingWhatWasNeverOpenedIsRefused() {
    AttemptKey unknown = key(new AttemptRef("nobody:1", 1));

    assertThatThrownBy(() -> state.jobs.close(unknown, result(RegisterStatus.FAILED, trigger, "x")))
        .hasMessage(
            "team 2, source "
                + StateFixture.SOURCE_ID
                + ", register attempt nobody:1#1: no such attempt; it was never opened; open it"
                + " before anything else")
        .asInstanceOf(type(StateException.class))
        .returns(StateException.Kind.UNKNOWN_ATTEMPT, StateException::kind);
  }

  @Test
  void theDatabaseItselfRefusesASecondRowForAnAttempt() {
    state.jobs.open(opening(trigger, START, "run-1"));

    assertThatThrownBy(
            () ->
                state.home.write(
                    dsl ->
                        dsl.execute(
                            """
                            INSERT INTO sluice.source_job (team, environment_id, schema_id,
                              source_job_id, attempt_id, attempt_number, workflow_type, status,
                              started_at, generation, order_kind, order_value)
                            SELECT team, environment_id, schema_id, source_job_id, attempt_id,
                              attempt_number, workflow_type, status, started_at, generation,
                              order_kind, order_value
                            FROM sluice.source_job
                            """)))
        .isInstanceOf(IntegrityConstraintViolationException.class)
        .hasMessageContaining("source_job_attempt");
  }
}
