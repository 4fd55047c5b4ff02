package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.StoredTrigger;
import dev.sluice.activities.jobs.TriggerState;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.PublishSetWorkflow;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.GateDecision;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Triggers that nobody holds any more, and outcomes that were written without asking the lake. */
class ReaperTriggersTest {

  private static RegisterFixture path;

  @BeforeAll
  static void start(@TempDir Path scratch) throws SQLException {
    path = RegisterFixture.local(scratch);
  }

  @AfterAll
  static void stop() throws SQLException {
    path.close();
  }

  @AfterEach
  void withoutFaults() {
    path.lakeFault = lake -> lake;
  }

  private static Source source(String table) throws SQLException {
    Source source = path.newSource(table);
    for (long epoch : List.of(100L, 150L, 200L)) {
      path.write(source, epoch, "a.parquet", "SELECT " + epoch + " AS g");
    }
    return source;
  }

  private static Gatekeeper stopAt(String activity) {
    Gatekeeper gatekeeper = new Gatekeeper(activity);
    path.lakeFault = gatekeeper;
    return gatekeeper;
  }

  private static WorkflowStub run(Source source) {
    return path.client().newUntypedWorkflowStub(WorkflowIds.of(source.trigger(100)));
  }

  /** Sends a trigger to a run and returns when it waits in the slot. */
  private static void submitAndAwait(RegisterWorkflow running, RegisterTrigger trigger) {
    running.submit(trigger);
    while (running.progress().pendingGeneration() == null) {
      Thread.onSpinWait();
    }
  }

  private static StoredTrigger stored(Source source, long epoch) {
    return path.triggers
        .find(WorkflowPath.REGISTER, RegisterFixture.ref(source), source.trigger(epoch).attemptId())
        .orElseThrow();
  }

  @Test
  @DisplayName("WFL-01: what waited behind a terminated run is started by the reaper")
  void wfl01_whatWaitedBehindATerminatedRunIsStarted() throws Exception {
    Source source = source("waited");
    Gatekeeper landing = stopAt("land");
    RegisterWorkflow running = path.start(source.trigger(100));
    landing.awaitReached();
    submitAndAwait(running, source.trigger(200));
    run(source).terminate("a test");
    path.age(source);
    path.lakeFault = lake -> lake;

    Reaper.Pass.Done pass = path.reap();
    landing.letGo();

    assertThat(pass.restarted()).isPositive();
    assertThat(path.await(source.trigger(200)).generation()).isEqualTo("200");
    assertThat(path.scan(source)).containsExactly(List.of("200"));
    assertThat(path.attempts(source).stream().map(SourceJob::status))
        .containsExactly(JobStatus.COMPLETED, JobStatus.FAILED);
    assertThat(stored(source, 100).state()).isEqualTo(TriggerState.FAILED);
    assertThat(path.eventKinds(source)).contains(EventKind.RESTARTED, EventKind.REAPED);
    assertThat(path.reap().restarted()).isZero();
  }

  @Test
  void whatWaitedIsSentToTheRunThatGoesOnMeanwhile() throws Exception {
    Source source = source("sent_on");
    Gatekeeper landing = stopAt("land");
    RegisterWorkflow running = path.start(source.trigger(100));
    landing.awaitReached();
    submitAndAwait(running, source.trigger(200));
    run(source).terminate("a test");
    Gatekeeper preparing = stopAt("prepare");
    path.start(source.trigger(150));
    preparing.awaitReached();
    path.age(source);

    Reaper.Pass.Done pass = path.reap();
    landing.letGo();
    preparing.letGo();
    RegisterResult last = path.await(source.trigger(100));

    assertThat(pass.restarted()).isEqualTo(1);
    assertThat(last.generation()).isEqualTo("200");
    assertThat(path.publications(source).stream().map(Publication::generation))
        .containsExactly("200");
    assertThat(path.eventKinds(source)).contains(EventKind.STALE);
  }

  @Test
  void whatARunHandsOverToTheNextOneIsNotSentAgain() throws Exception {
    Source source = source("handed_over");
    Gatekeeper first = new Gatekeeper("land");
    path.lakeFault = first;
    RegisterWorkflow running = path.start(source.trigger(100));
    first.awaitReached();
    submitAndAwait(running, source.trigger(200));
    Gatekeeper second = new Gatekeeper("inspect");
    String handingOver = stored(source, 100).runId();
    path.lakeFault =
        lake ->
            path.attempts(source).getFirst().generation().equals("200") ? second.apply(lake) : lake;
    first.letGo();
    second.awaitReached();
    // as it was before the next run had written anything down
    path.changeHome(
        dsl -> {
          dsl.execute(
              "UPDATE sluice.trigger SET state = 'pending', workflow_run_id = ?"
                  + " WHERE schema_id = ? AND generation = '200'",
              handingOver,
              source.schemaId());
        });
    path.age(source);

    Reaper.Pass.Done pass = path.reap();
    second.letGo();

    assertThat(pass.restarted()).isZero();
    assertThat(path.await(source.trigger(100)).generation()).isEqualTo("200");
    assertThat(path.eventKinds(source)).doesNotContain(EventKind.DUPLICATE, EventKind.RESTARTED);
  }

  @Test
  void aTriggerWhoseRunTemporalHasLostIsStartedAgain() throws Exception {
    Source source = source("lost");
    RegisterTrigger trigger = source.trigger(100);
    String namespace = path.client().getOptions().getNamespace();
    String id = WorkflowIds.of(trigger);
    path.triggers.record(
        new TriggerRecord(
            WorkflowPath.REGISTER,
            trigger,
            TriggerDisposition.RUNNING,
            null,
            id,
            "no-such-run",
            namespace,
            Instant.EPOCH));
    path.jobs.open(
        new AttemptOpening(
            WorkflowPath.REGISTER, trigger, Instant.now(), id, "no-such-run", namespace));
    path.age(source);

    Reaper.Pass.Done pass = path.reap();

    assertThat(pass.reaped()).singleElement().returns(JobStatus.FAILED, SourceJob::status);
    assertThat(pass.restarted()).isEqualTo(1);
    assertThat(path.await(trigger).reason()).isNull();
    assertThat(path.attempts(source).getFirst().key().attempt().number()).isEqualTo(2);
    assertThat(path.scan(source)).containsExactly(List.of("100"));
  }

  @Test
  @DisplayName("WFL-02: every member of a set whose run was terminated ends, and why says so")
  void wfl02_everyMemberOfALostSetEnds() throws Exception {
    Source one = source("set_one");
    Source two = source("set_two");
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    path.gate.answer(
        () -> {
          asked.countDown();
          Uninterruptibly.await(go);
          return GateDecision.open();
        });
    PublishSetWorkflow beforeItOpened = path.startSet("early", one.trigger(100), two.trigger(100));
    Uninterruptibly.await(asked);
    terminateAndReap(beforeItOpened, one, two);
    go.countDown();
    path.gate.open();

    for (Source each : List.of(one, two)) {
      assertThat(stored(each, 100).state()).isEqualTo(TriggerState.FAILED);
      assertThat(why(each))
          .startsWith("nothing was begun; a trigger was lost before it had an attempt: the run")
          .contains("was terminated")
          .endsWith("published as a whole or not at all; start the set again");
    }

    Gatekeeper landing = stopAt("land");
    PublishSetWorkflow atWork = path.startSet("late", one.trigger(200), two.trigger(200));
    landing.awaitReached();
    terminateAndReap(atWork, one, two);
    landing.letGo();

    for (Source each : List.of(one, two)) {
      assertThat(stored(each, 200).state()).isEqualTo(TriggerState.FAILED);
      assertThat(path.attempts(each)).singleElement().returns(JobStatus.FAILED, SourceJob::status);
      assertThat(why(each))
          .startsWith("generation 200 was lost and was closed by the reaper at ")
          .contains("it was a member of set late, ");
      assertThat(path.publications(each)).isEmpty();
    }
  }

  @Test
  void whyTellsOfWhatRunsWhatWaitsBehindItAndWhatWasLost() throws Exception {
    Source source = source("why");
    assertThat(why(source)).isEqualTo("it was never triggered");
    Gatekeeper landing = stopAt("land");
    RegisterWorkflow running = path.start(source.trigger(100));
    landing.awaitReached();
    assertThat(why(source)).startsWith("generation 100 is being brought in since ");
    path.reap();
    assertThat(why(source))
        .startsWith("generation 100 is being brought in since ")
        .contains("; stage land");

    submitAndAwait(running, source.trigger(200));
    assertThat(why(source))
        .startsWith("generation 200 waits behind generation 100 since ")
        .contains("; generation 100 is being brought in since ");

    run(source).terminate("a test");
    // before the reaper is old enough to take the waiting one up, only the attempt is closed
    path.reap();
    assertThat(why(source))
        .startsWith("generation 200 waits for its run since ")
        .contains("; generation 100 was lost and was closed by the reaper at ")
        .contains(": its run was terminated")
        .endsWith("(a test); trigger it again");

    path.lakeFault = lake -> lake;
    path.age(source);
    path.reap();
    landing.letGo();
    long snapshot = Objects.requireNonNull(path.await(source.trigger(200)).snapshotId());
    assertThat(why(source)).isEqualTo("generation 200 was published at snapshot " + snapshot);
  }

  private static String why(Source source) {
    return path.statuses.of(RegisterFixture.ref(source)).why();
  }

  private static void terminateAndReap(PublishSetWorkflow set, Source... members) {
    WorkflowStub.fromTyped(set).terminate("a test");
    for (Source member : members) {
      path.age(member);
    }
    path.reap();
  }

  @Test
  void whatWasClosedWithoutAskingTheLakeIsCorrectedOnceItAnswers() throws Exception {
    Source source = source("unreconciled");
    Gatekeeper closing = stopAt("close-attempt");
    path.start(source.trigger(100));
    closing.awaitReached();
    SourceJob running = path.attempts(source).getFirst();
    path.lakeFault =
        lake -> {
          throw ApplicationFailure.newFailure("lake main: no route", FailureTypes.UNAVAILABLE);
        };

    SourceJob closed =
        path.ends()
            .close(
                running.key(),
                new RegisterResult(
                    RegisterStatus.FAILED,
                    "the lake went away",
                    FailureTypes.UNAVAILABLE,
                    running.key().attempt().attemptId(),
                    "100",
                    null,
                    null,
                    null,
                    null,
                    null,
                    null));
    Reaper.Pass.Done away = path.reap();
    path.lakeFault = lake -> lake;
    path.reap();
    closing.letGo();

    assertThat(closed.status()).isEqualTo(JobStatus.FAILED);
    assertThat(away.lakesAway()).containsExactly(RegisterFixture.LAKE);
    assertThat(path.attempts(source).getFirst())
        .returns(JobStatus.COMPLETED, SourceJob::status)
        .returns(false, SourceJob::unreconciled)
        .returns(1L, SourceJob::rows);
    assertThat(path.eventKinds(source)).startsWith(EventKind.RECONCILED);
  }
}
