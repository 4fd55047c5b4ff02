package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.Target;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterInput;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;
import dev.sluice.workflows.Workflows;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.WorkflowIds;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.errordetails.v1.NamespaceNotFoundFailure;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import io.temporal.serviceclient.StatusUtils;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts whose runs ended without closing them, and those that must be left alone. */
class ReaperTest {

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

  private static Source live(String table) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  private static WorkflowStub run(Source source) {
    return path.client().newUntypedWorkflowStub(WorkflowIds.of(source.trigger(200)));
  }

  private static SourceJob latest(Source source) {
    return path.attempts(source).getFirst();
  }

  private static Gatekeeper stopAt(String activity) {
    Gatekeeper gatekeeper = new Gatekeeper(activity);
    path.lakeFault = gatekeeper;
    return gatekeeper;
  }

  @Test
  @DisplayName("8.2 invariant 2: a terminated run is closed, and its late publication is refused")
  void invariant2TerminatedRunIsClosedAndItsLatePublicationIsRefused() throws Exception {
    Source source = live("terminated");
    Gatekeeper publishing = stopAt("publish");
    path.start(source.trigger(200));
    publishing.awaitReached();
    run(source).terminate("stuck, says the operator");

    Reaper.Pass.Done pass = path.reap();
    publishing.letGo();

    assertThat(pass.reaped()).extracting(SourceJob::status).containsExactly(JobStatus.FAILED);
    assertThat(latest(source).latestError())
        .startsWith("its run was terminated")
        .contains("stuck, says the operator")
        .endsWith("trigger it again");
    assertThat(latest(source).reapedAt()).isNotNull();
    assertThat(path.eventKinds(source)).startsWith(EventKind.REAPED);
    assertThat(fence(source).holder()).isNull();
    assertThat(path.scan(source)).containsExactly(List.of("100"));
    assertThat(path.publications(source)).hasSize(1);

    path.lakeFault = lake -> lake;
    assertThat(path.run(source.trigger(200)).reason()).isNull();
    assertThat(path.scan(source)).containsExactly(List.of("200"));
  }

  private static Fences.Fence fence(Source source) {
    Target target = new Target(path.catalog.info().key(), source.schema(), source.published());
    return path.lakeState.read(dsl -> Fences.find(dsl, target)).orElseThrow();
  }

  @Test
  @DisplayName("8.2 invariant 5: what was published is completed, though its run was terminated")
  void invariant5WhatWasPublishedIsCompletedThoughItsRunWasTerminated() throws Exception {
    Source source = live("published_then_terminated");
    Gatekeeper closing = stopAt("close-attempt");
    path.start(source.trigger(200));
    closing.awaitReached();
    run(source).terminate("too late");

    Reaper.Pass.Done pass = path.reap();
    closing.letGo();

    assertThat(pass.reaped())
        .singleElement()
        .returns(JobStatus.COMPLETED, SourceJob::status)
        .returns(1L, SourceJob::rows)
        .returns(1L, SourceJob::files)
        .returns(path.publications(source).getFirst().snapshotId(), SourceJob::snapshotId);
    assertThat(latest(source).latestError()).isNull();
    assertThat(latest(source).reapedAt()).isNull();
    assertThat(path.scan(source)).containsExactly(List.of("200"));
  }

  @Test
  void aRunThatTimedOutIsClosed() throws Exception {
    Source source = live("timed_out");
    Gatekeeper landing = stopAt("land");
    RegisterTrigger trigger = source.trigger(200);
    RegisterWorkflow workflow =
        path.client()
            .newWorkflowStub(
                RegisterWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .setWorkflowId(WorkflowIds.of(trigger))
                    .setWorkflowRunTimeout(Duration.ofSeconds(4))
                    .build());
    WorkflowClient.start(workflow::run, RegisterInput.of(trigger));
    landing.awaitReached();
    assertThat(catchThrowable(() -> run(source).getResult(RegisterResult.class))).isNotNull();

    path.reap();
    landing.letGo();

    assertThat(latest(source).latestError()).isEqualTo("its run timed out; trigger it again");
    assertThat(path.scan(source)).containsExactly(List.of("100"));
  }

  @Test
  void aCancelledRunClosesItsAttemptItselfAndTheReaperLeavesIt() throws Exception {
    Source source = live("cancelled");
    Gatekeeper closing = stopAt("close-attempt");
    Gatekeeper[] landing = {new Gatekeeper("land")};
    path.lakeFault = lake -> closing.apply(landing[0].apply(lake));
    path.start(source.trigger(200));
    landing[0].awaitReached();
    run(source).cancel();
    landing[0].letGo();
    closing.awaitReached();

    assertThat(path.reap().reaped()).isEmpty();
    assertThat(latest(source).status()).isEqualTo(JobStatus.RUNNING);
    closing.letGo();
    assertThat(catchThrowable(() -> run(source).getResult(RegisterResult.class))).isNotNull();
    assertThat(path.reap().reaped()).isEmpty();
    assertThat(latest(source).latestError()).isEqualTo("cancelled on request in stage land");
  }

  @Test
  void aRunThatHasEndedInAnyOtherWayIsNamedByIt() throws Exception {
    Source source = live("ended_otherwise");
    RegisterTrigger trigger = source.trigger(200);
    String completed = runOf(source, 100);
    open(trigger, WorkflowIds.of(trigger), completed);

    path.reap();

    assertThat(latest(source).latestError())
        .isEqualTo("its run completed without closing it; trigger it again");
  }

  /** The run that brought a generation in. */
  private static String runOf(Source source, long epoch) {
    return path.attempts(source).stream()
        .filter(job -> job.generation().equals(Long.toString(epoch)))
        .findFirst()
        .map(SourceJob::runId)
        .orElseThrow();
  }

  private static AttemptKey open(RegisterTrigger trigger, String workflowId, String runId) {
    return new AttemptKey(
        WorkflowPath.REGISTER,
        Attempts.source(trigger),
        path.jobs.open(
            new AttemptOpening(
                WorkflowPath.REGISTER,
                trigger,
                Instant.now(),
                workflowId,
                runId,
                path.client().getOptions().getNamespace())));
  }

  @Test
  void aRunThatIsSlowIsLeftAloneAndItsLeaseExtended() throws Exception {
    Source source = live("slow");
    Gatekeeper landing = stopAt("land");
    path.start(source.trigger(200));
    landing.awaitReached();
    path.changeHome(
        dsl ->
            dsl.execute(
                "UPDATE sluice.source_job SET lease_until = now() - INTERVAL '1 day'"
                    + " WHERE status = 'running'"));
    assertThat(path.statuses.of(RegisterFixture.ref(source)).why())
        .contains("no worker has looked after it since");

    Reaper.Pass.Done pass = path.reap();

    assertThat(pass.reaped()).isEmpty();
    assertThat(pass.open()).isEqualTo(1);
    assertThat(latest(source).leaseUntil()).isAfter(latest(source).checkedAt());
    assertThat(path.statuses.of(RegisterFixture.ref(source)).why())
        .startsWith("generation 200 is being brought in since ")
        .contains("; stage land");
    landing.letGo();
    assertThat(path.await(source.trigger(200)).reason()).isNull();
  }

  @Test
  void anAttemptOfAnotherNamespaceIsNobodysBusinessHere() throws Exception {
    Source source = live("elsewhere");
    AttemptKey key = open(source.trigger(200), "workflow", "run");
    path.changeHome(
        dsl ->
            dsl.execute(
                "UPDATE sluice.source_job SET namespace = 'another' WHERE status = 'running'"));

    assertThat(path.reap().reaped()).isEmpty();
    assertThat(path.jobs.find(key).orElseThrow().status()).isEqualTo(JobStatus.RUNNING);
    close(key);
  }

  private static void close(AttemptKey key) {
    path.jobs.close(
        key,
        new RegisterResult(
            RegisterStatus.SKIPPED,
            "the test is over",
            null,
            key.attempt().attemptId(),
            "200",
            null,
            null,
            null,
            null,
            null,
            null));
  }

  @Test
  void nothingIsDoneWhenTemporalCannotBeReached() throws Exception {
    Source source = live("temporal_down");
    AttemptKey key = open(source.trigger(200), "gone", "gone");
    SourceJob before = path.jobs.find(key).orElseThrow();

    Reaper.Pass pass = withService("127.0.0.1:1", new ClientInterceptor[0]);

    assertThat(pass)
        .asInstanceOf(type(Reaper.Pass.TemporalAway.class))
        .satisfies(away -> assertThat(away.before().asked()).isZero())
        .satisfies(away -> assertThat(away.reason()).contains("UNAVAILABLE"));
    assertThat(path.jobs.find(key)).hasValue(before);
    close(key);
  }

  @Test
  void aNamespaceThatIsNotThereSaysNothingAboutRuns() throws Exception {
    Source source = live("no_namespace");
    AttemptKey key = open(source.trigger(200), "gone", "gone");

    Reaper.Pass pass = withService(path.temporalTarget(), new NoSuchNamespace());

    assertThat(pass)
        .asInstanceOf(type(Reaper.Pass.TemporalAway.class))
        .satisfies(away -> assertThat(away.reason()).contains("NOT_FOUND"));
    assertThat(path.jobs.find(key).orElseThrow().status()).isEqualTo(JobStatus.RUNNING);
    close(key);
  }

  private static Reaper.Pass withService(String target, ClientInterceptor... interceptors) {
    WorkflowServiceStubs stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(target)
                .setGrpcClientInterceptors(List.of(interceptors))
                .build());
    try {
      return path.reaper(
              WorkflowClient.newInstance(
                  stubs,
                  WorkflowClientOptions.newBuilder()
                      .setNamespace(path.client().getOptions().getNamespace())
                      .build()),
              1000)
          .pass();
    } finally {
      stubs.shutdownNow();
    }
  }

  /** The in-memory service takes every namespace; a real one answers like this. */
  private static final class NoSuchNamespace implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          super.start(
              new SimpleForwardingClientCallListener<>(listener) {
                @Override
                public void onMessage(A message) {
                  // the answer that the stand-in gives is not the one that is tested
                }

                @Override
                public void onClose(Status status, Metadata trailers) {
                  StatusRuntimeException refusal =
                      StatusUtils.newException(
                          Status.NOT_FOUND.withDescription("Namespace default is not found."),
                          NamespaceNotFoundFailure.getDefaultInstance(),
                          NamespaceNotFoundFailure.getDescriptor());
                  super.onClose(refusal.getStatus(), refusal.getTrailers());
                }
              },
              headers);
        }
      };
    }
  }

  @Test
  void aLakeThatCannotBeAskedKeepsItsAttemptRunningUntilItCan() throws Exception {
    Source source = live("lake_down");
    Gatekeeper publishing = stopAt("publish");
    path.start(source.trigger(200));
    publishing.awaitReached();
    run(source).terminate("lake down");
    path.lakeFault =
        lake -> {
          throw ApplicationFailure.newFailure("lake main: no route", FailureTypes.UNAVAILABLE);
        };

    Reaper.Pass.Done away = path.reap();
    path.lakeFault = lake -> lake;
    publishing.letGo();
    Reaper.Pass.Done back = path.reap();

    assertThat(away.lakesAway()).containsExactly(RegisterFixture.LAKE);
    assertThat(away.reaped()).isEmpty();
    assertThat(back.reaped()).hasSize(1);
    assertThat(latest(source).status().terminal()).isTrue();
  }

  @Test
  void whatIsLeftOverComesFirstInTheNextPass() throws Exception {
    Source source = live("bounded");
    List<AttemptKey> keys =
        List.of(
            open(source.trigger(201), "gone", "run-1"),
            open(source.trigger(202), "gone", "run-2"),
            open(source.trigger(203), "gone", "run-3"));

    for (int pass = 1; pass <= keys.size(); pass++) {
      Reaper.Pass.Done done = (Reaper.Pass.Done) path.reaper(path.client(), 1).pass();
      assertThat(done.asked()).isEqualTo(1);
    }

    assertThat(keys)
        .allSatisfy(
            key ->
                assertThat(path.jobs.find(key).orElseThrow().status()).isEqualTo(JobStatus.FAILED));
  }

  @Test
  void oneOfManyWorkersMakesAPassAtATime() {
    Reaper first = path.reaper(path.client(), 10);

    assertThat(first.pass()).isInstanceOf(Reaper.Pass.Done.class);
    assertThat(first.pass()).isInstanceOf(Reaper.Pass.NotYet.class);
  }
}
