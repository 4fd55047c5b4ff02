package dev.sluice.activities.jobs;

import static dev.sluice.activities.jobs.StateFixture.SOURCE;
import static dev.sluice.activities.jobs.StateFixture.record;
import static dev.sluice.activities.jobs.StateFixture.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TriggerStoreTest {
  private final StateFixture state = new StateFixture();

  @BeforeEach
  void provision() {
    state.provision();
  }

  @AfterEach
  void close() {
    state.close();
  }

  @Test
  void aTriggerIsReadBackWhole() {
    RegisterTrigger asked = trigger(100).withLake("main");

    assertThat(state.triggers.record(record(asked, TriggerDisposition.RUNNING, "run-1")))
        .isEqualTo(new TriggerReceipt(TriggerDisposition.RUNNING, null));

    StoredTrigger stored =
        state.triggers.find(WorkflowPath.REGISTER, SOURCE, asked.attemptId()).orElseThrow();
    assertThat(stored.trigger()).isEqualTo(asked);
    assertThat(stored.state()).isEqualTo(TriggerState.RUNNING);
    assertThat(stored.runId()).isEqualTo("run-1");
  }

  @Test
  void theNewestByProducerOrderKeepsTheSlotWhateverTheOrderOfArrival() {
    pend(300);
    assertThat(pend(200)).isEqualTo(TriggerDisposition.SUPERSEDED);
    assertThat(pend(400)).isEqualTo(TriggerDisposition.PENDING);

    assertThat(pending()).isEqualTo(trigger(400));
    assertThat(stateOf(200)).isEqualTo(TriggerState.SUPERSEDED);
    assertThat(stateOf(300)).isEqualTo(TriggerState.SUPERSEDED);
    assertThat(state.events.newest(SOURCE, 10))
        .extracting(SourceEvent::kind, SourceEvent::attemptId)
        .containsExactly(
            tuple(EventKind.SUPERSEDED, trigger(300).attemptId()),
            tuple(EventKind.SUPERSEDED, trigger(200).attemptId()));
    assertThat(state.events.newest(SOURCE, 1).getFirst().reason())
        .isEqualTo("a newer generation waits: 400_0a1b2c3d of job job-400, order folder_epoch:400");
  }

  @Test
  void theLaterArrivalWinsATie() {
    state.triggers.record(record(trigger("first", 5), TriggerDisposition.PENDING, "run-1"));
    state.triggers.record(record(trigger("second", 5), TriggerDisposition.PENDING, "run-1"));

    assertThat(pending().jobId()).isEqualTo("second");
  }

  @Test
  void recordingTheSameAgainChangesNothing() {
    pend(300);
    pend(200);
    pend(200);
    pend(300);

    assertThat(pending()).isEqualTo(trigger(300));
    assertThat(state.events.newest(SOURCE, 10)).hasSize(1);
  }

  @Test
  void aDuplicateOfARunningTriggerLeavesItRunning() {
    state.triggers.record(record(trigger(1), TriggerDisposition.RUNNING, "run-1"));

    assertThat(state.triggers.record(record(trigger(1), TriggerDisposition.DUPLICATE, "run-1")))
        .returns(TriggerDisposition.DUPLICATE, TriggerReceipt::disposition);
    assertThat(pend(1)).isEqualTo(TriggerDisposition.DUPLICATE);

    assertThat(stateOf(1)).isEqualTo(TriggerState.RUNNING);
    assertThat(state.events.newest(SOURCE, 10))
        .extracting(SourceEvent::kind)
        .containsExactly(EventKind.DUPLICATE);
  }

  @Test
  void aTriggerOfATerminatedRunCanWaitAgain() {
    state.triggers.record(record(trigger(1), TriggerDisposition.RUNNING, "lost-run"));

    assertThat(pend(1)).isEqualTo(TriggerDisposition.PENDING);
    assertThat(pending()).isEqualTo(trigger(1));
  }

  @Test
  void aLateWriterOfAnEndedRunDoesNotTakeTheTriggerBack() {
    state.triggers.record(recordOf("run-2", StateFixture.START.plusSeconds(60)));
    settle(1, "run-2", RegisterStatus.COMPLETED);

    assertThat(state.triggers.record(recordOf("run-1", StateFixture.START)))
        .returns(TriggerDisposition.DUPLICATE, TriggerReceipt::disposition);

    assertThat(stateOf(1)).isEqualTo(TriggerState.COMPLETED);
  }

  private static TriggerRecord recordOf(String run, Instant startedAt) {
    return new TriggerRecord(
        WorkflowPath.REGISTER,
        trigger(1),
        TriggerDisposition.RUNNING,
        null,
        "workflow-1",
        run,
        StateFixture.NAMESPACE,
        startedAt);
  }

  @Test
  void aTriggerDeliveredAgainDoesNotTakeTheSlotFromALaterOneOfItsOrder() {
    state.triggers.record(record(trigger("first", 5), TriggerDisposition.PENDING, "run-1"));
    state.triggers.record(record(trigger("second", 5), TriggerDisposition.PENDING, "run-1"));

    assertThat(
            state.triggers.record(record(trigger("first", 5), TriggerDisposition.PENDING, "run-1")))
        .returns(TriggerDisposition.SUPERSEDED, TriggerReceipt::disposition);
    assertThat(pending().jobId()).isEqualTo("second");
  }

  @Test
  void takingUpThePendingTriggerEmptiesTheSlot() {
    pend(1);
    state.triggers.record(record(trigger(1), TriggerDisposition.RUNNING, "run-2"));

    assertThat(state.triggers.findPending(WorkflowPath.REGISTER, SOURCE)).isEmpty();
    assertThat(stateOf(1)).isEqualTo(TriggerState.RUNNING);
  }

  @Test
  void aClosedGateLeavesTheTriggerAndAnEventWithTheReason() {
    state.triggers.record(
        new TriggerRecord(
            WorkflowPath.REGISTER,
            trigger(1),
            TriggerDisposition.SKIPPED,
            "flag is off for team 2; password=hunter22 seen",
            "workflow-1",
            "run-1",
            StateFixture.NAMESPACE,
            StateFixture.START));

    assertThat(stateOf(1)).isEqualTo(TriggerState.SKIPPED);
    assertThat(state.events.newest(SOURCE, 10))
        .extracting(SourceEvent::kind, SourceEvent::reason)
        .containsExactly(
            tuple(EventKind.GATE_CLOSED, "flag is off for team 2; password=<redacted> seen"));
    assertThat(state.jobs.history(SOURCE, 10)).isEmpty();
  }

  @Test
  void anOrderOfAnotherKindIsRefusedWithTheReason() {
    pend(1);
    RegisterTrigger delta =
        new RegisterTrigger(
            2,
            "job-9",
            SOURCE.schemaId(),
            "Postgres",
            "prod",
            "flights",
            "flights__query_9",
            ProducerOrder.deltaVersion(9),
            null,
            null);

    assertThat(state.triggers.record(record(delta, TriggerDisposition.RUNNING, "run-1")))
        .returns(TriggerDisposition.REFUSED, TriggerReceipt::disposition);
    assertThat(
            state
                .triggers
                .find(WorkflowPath.REGISTER, SOURCE, delta.attemptId())
                .orElseThrow()
                .reason())
        .isEqualTo(
            "the generation cannot be put in order; earlier ones were ordered by folder_epoch, this"
                + " one has delta_version:9; keep to one kind of order per source (one that is to"
                + " change between registering and copying needs orders of kind import_finished on"
                + " both paths, from its first generation on)");
  }

  @Test
  void settlingGivesTheOutcomeOnceAndKeepsWhatWasSuperseded() {
    state.triggers.record(record(trigger(1), TriggerDisposition.RUNNING, "run-1"));
    settle(1, RegisterStatus.FAILED);
    settle(1, RegisterStatus.COMPLETED);
    assertThat(stateOf(1)).isEqualTo(TriggerState.FAILED);

    pend(3);
    pend(2);
    settle(2, RegisterStatus.COMPLETED);
    assertThat(stateOf(2)).isEqualTo(TriggerState.SUPERSEDED);
  }

  @Test
  void manyWritersAtOnceLeaveExactlyTheNewestPending() throws Exception {
    try (HikariDataSource pool = state.postgres.dataSource(4);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      StateDatabase shared = new StateDatabase("home database", pool);
      TriggerStore store =
          new TriggerStore(shared, new SourceJobEvents(shared, state.text), state.text);
      List<Future<TriggerReceipt>> all =
          LongStream.rangeClosed(1, 40)
              .mapToObj(
                  order ->
                      threads.submit(
                          () ->
                              store.record(
                                  record(trigger(order), TriggerDisposition.PENDING, "run-1"))))
              .toList();
      for (Future<TriggerReceipt> one : all) {
        one.get();
      }
    }

    assertThat(pending()).isEqualTo(trigger(40));
    assertThat(state.triggers.newest(SOURCE, 50)).hasSize(40);
  }

  private TriggerDisposition pend(long order) {
    return state
        .triggers
        .record(record(trigger(order), TriggerDisposition.PENDING, "run-1"))
        .disposition();
  }

  private RegisterTrigger pending() {
    return state.triggers.findPending(WorkflowPath.REGISTER, SOURCE).orElseThrow().trigger();
  }

  private TriggerState stateOf(long order) {
    return state
        .triggers
        .find(WorkflowPath.REGISTER, SOURCE, trigger(order).attemptId())
        .orElseThrow()
        .state();
  }

  private void settle(long order, RegisterStatus status) {
    settle(order, "run-1", status);
  }

  private void settle(long order, String run, RegisterStatus status) {
    state.triggers.settle(
        WorkflowPath.REGISTER, SOURCE, trigger(order).attemptId(), run, status, "because");
  }

  @Test
  void aModelBecomesKnownWithItsFirstTriggerAndItsLabelMayChange() {
    SourceRef query = new SourceRef(2, "query-1");

    assertThat(taken(model("query-1", "Daily revenue")).disposition())
        .isEqualTo(TriggerDisposition.RUNNING);
    assertThat(state.provisioning.findSource(query))
        .contains(
            new Provisioning.Source(
                query, Provisioning.SourceKind.MODEL, "", "daily_revenue", "Daily revenue", null));
    taken(model("query-1", "Revenue by day"));
    assertThat(state.provisioning.findSource(query).orElseThrow().table())
        .isEqualTo("Revenue by day");
    assertThat(state.triggers.find(WorkflowPath.MODEL, query, "job-1").orElseThrow().trigger())
        .returns("s3://models/query-1", RegisterTrigger::preparedFolder)
        .returns(3L, RegisterTrigger::deltaVersion);
  }

  @Test
  void anImportedTableIsNoModel() {

    TriggerReceipt receipt = taken(model(StateFixture.SOURCE_ID, "Flights"));

    assertThat(receipt.disposition()).isEqualTo(TriggerDisposition.REFUSED);
    assertThat(receipt.reason()).contains("it is of a model, the source is an imported table");
  }

  private static RegisterTrigger model(String query, String label) {
    return RegisterTrigger.model(
        2,
        "job-1",
        query,
        "daily_revenue",
        label,
        "s3://models/" + query,
        ProducerOrder.deltaVersion(3),
        null,
        null);
  }

  private TriggerReceipt taken(RegisterTrigger trigger) {
    return state.triggers.record(
        new TriggerRecord(
            trigger.path(),
            trigger,
            TriggerDisposition.RUNNING,
            null,
            "workflow-1",
            "run-1",
            StateFixture.NAMESPACE,
            StateFixture.START));
  }
}
