package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.SOURCE;
import static dev.sluice.activities.jobs.StateFixture.START;
import static dev.sluice.activities.jobs.StateFixture.key;
import static dev.sluice.activities.jobs.StateFixture.opening;
import static dev.sluice.activities.jobs.StateFixture.record;
import static dev.sluice.activities.jobs.StateFixture.result;
import static dev.sluice.activities.jobs.StateFixture.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.SourceJobs.Ending;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every sentence that answers why a table is as it is, told from rows that the stores wrote. */
class StatusSentenceTest {
  private final StateFixture state = new StateFixture();
  private final RegisterTrigger first = trigger(1);
  private final RegisterTrigger second = trigger(2);

  @BeforeEach
  void provision() {
    state.provision();
  }

  @AfterEach
  void close() {
    state.close();
  }

  private String why() {
    return state.statuses.of(SOURCE).why();
  }

  private AttemptRef open(RegisterTrigger trigger, String run) {
    state.triggers.record(record(trigger, TriggerDisposition.RUNNING, run));
    return state.jobs.open(opening(trigger, START, run));
  }

  @Test
  void neverTriggered() {
    assertThat(why()).isEqualTo("it was never triggered");
  }

  @Test
  void gateClosed() {
    skip(first, "flag x is off for team 2");

    assertThat(why()).isEqualTo("nothing was begun; the gate was closed: flag x is off for team 2");
  }

  @Test
  void gateClosedSinceTheLastPublication() {
    state.jobs.close(key(open(first, "run-1")), result(RegisterStatus.COMPLETED, first, null));
    skip(second, "flag x is off for team 2");

    assertThat(why())
        .isEqualTo(
            "generation 1_0a1b2c3d was published at snapshot 7; since then the gate was closed:"
                + " flag x is off for team 2");
  }

  private void skip(RegisterTrigger trigger, String reason) {
    state.triggers.record(
        new TriggerRecord(
            WorkflowPath.REGISTER,
            trigger,
            TriggerDisposition.SKIPPED,
            reason,
            "workflow-1",
            "run-9",
            StateFixture.NAMESPACE,
            StateFixture.START));
  }

  @Test
  void refused() {
    RegisterTrigger stranger = trigger("j".repeat(1000), 2);
    state.triggers.record(record(stranger, TriggerDisposition.RUNNING, "run-1"));

    assertThat(why())
        .startsWith("nothing was begun; a trigger was refused: trigger of team 2, source ")
        .contains("the job id has 1000 characters");
  }

  @Test
  void runningSince() {
    open(first, "run-1");

    assertThat(why()).isEqualTo("generation 1_0a1b2c3d is being brought in since " + START);
  }

  @Test
  void runningSinceWithTheLastSignOfLife() {
    AttemptKey key = key(open(first, "run-1"));
    state.reaperList.confirm(key, "stage land, last sign of life just now", Duration.ofMinutes(1));

    assertThat(why())
        .isEqualTo(
            "generation 1_0a1b2c3d is being brought in since "
                + START
                + "; stage land, last sign of life just now");
  }

  @Test
  void runningAndNobodyLooksAfterIt() {
    AttemptKey key = key(open(first, "run-1"));
    state.reaperList.confirm(key, "stage land", Duration.ofSeconds(-1));

    assertThat(why())
        .startsWith("generation 1_0a1b2c3d is being brought in since " + START)
        .contains(", and no worker has looked after it since ")
        .endsWith("(none runs, or none reaches Temporal); it goes on once one does");
  }

  @Test
  void failedBecause() {
    state.jobs.close(
        key(open(first, "run-1")), result(RegisterStatus.FAILED, first, "no file; none; send one"));

    assertThat(why()).isEqualTo("generation 1_0a1b2c3d failed: no file; none; send one");
  }

  @Test
  void lostAndReaped() {
    AttemptKey key = key(open(first, "run-1"));
    SourceJob reaped =
        state.jobs.end(
            key,
            result(RegisterStatus.FAILED, first, "its run was terminated; trigger it again"),
            Ending.REAPED);

    assertThat(why())
        .isEqualTo(
            "generation 1_0a1b2c3d was lost and was closed by the reaper at "
                + reaped.reapedAt()
                + ": its run was terminated; trigger it again");
    assertThat(state.events.newest(SOURCE, 1).getFirst().kind()).isEqualTo(EventKind.REAPED);
  }

  @Test
  void supersededByANewerOne() {
    state.jobs.close(
        key(open(first, "run-1")), result(RegisterStatus.STALE, first, "2_0a1b2c3d is published"));

    assertThat(why())
        .isEqualTo("generation 1_0a1b2c3d was superseded by a newer one: 2_0a1b2c3d is published");
  }

  @Test
  void publishedAtSnapshot() {
    state.jobs.close(key(open(first, "run-1")), result(RegisterStatus.COMPLETED, first, null));

    assertThat(why()).isEqualTo("generation 1_0a1b2c3d was published at snapshot 7");
  }

  @Test
  void askedForAgainAndAnswered() {
    state.jobs.close(key(open(first, "run-1")), result(RegisterStatus.COMPLETED, first, null));
    state.triggers.record(
        new TriggerRecord(
            WorkflowPath.REGISTER,
            first,
            TriggerDisposition.DUPLICATE,
            "generation 1 is live",
            "workflow-1",
            "run-2",
            StateFixture.NAMESPACE,
            StateFixture.START));

    assertThat(why())
        .isEqualTo(
            "generation 1_0a1b2c3d was published at snapshot 7; since then a trigger was a"
                + " duplicate: generation 1 is live");
  }

  @Test
  void waitingBehindARunningAttempt() {
    open(first, "run-1");
    state.triggers.record(record(second, TriggerDisposition.PENDING, "run-1"));

    assertThat(why())
        .startsWith("generation 2_0a1b2c3d waits behind generation 1_0a1b2c3d since ")
        .endsWith("; generation 1_0a1b2c3d is being brought in since " + START);
  }

  @Test
  void waitingForARunToBeStarted() {
    state.triggers.record(record(second, TriggerDisposition.PENDING, "run-1"));

    assertThat(why()).startsWith("generation 2_0a1b2c3d waits for its run since ");
  }
}
