package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.jobs.JobStatus;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.TriggerState;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.catalog.Catalog;
import dev.sluice.embedded.CommitFate;
import dev.sluice.embedded.ConnectionCutter;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writer bug 32: nothing is acknowledged before it is committed. */
class RegisterAcknowledgementTest {

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

  private static TriggerRecord running(Source source) {
    return new TriggerRecord(
        WorkflowPath.REGISTER,
        source.trigger(100),
        TriggerDisposition.RUNNING,
        null,
        "workflow",
        "run",
        "default",
        Instant.parse("2026-01-01T00:00:00Z"));
  }

  private static JobStage stage(ConnectionCutter home) {
    StateDatabase database = new StateDatabase("home database", home.database().dataSource());
    return new JobStage(
        new TriggerStore(database, path.events, path.text),
        path.jobs,
        path.events,
        path.ends(),
        new Failures(path.text));
  }

  private static boolean isWrittenDown(Source source) {
    return path.triggers
        .find(WorkflowPath.REGISTER, RegisterFixture.ref(source), source.trigger(100).attemptId())
        .isPresent();
  }

  @Test
  @DisplayName("writer bug 32: a trigger is answered only after the home database has committed it")
  void bug32ATriggerIsAnsweredAfterItsCommit() throws Exception {
    Source source = path.newSource("held_trigger");
    try (ConnectionCutter home = ConnectionCutter.before(path.homeDatabase);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ConnectionCutter.PlannedCommit held = home.nextCommit(CommitFate.HOLD);
      Future<TriggerReceipt> answer =
          threads.submit(() -> stage(home).recordTrigger(running(source)));
      held.await();

      assertThat(answer.isDone()).isFalse();
      assertThat(isWrittenDown(source)).isFalse();

      held.release();
      assertThat(answer.get().disposition()).isEqualTo(TriggerDisposition.RUNNING);
      assertThat(isWrittenDown(source)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CUT_BEFORE", "CUT_AFTER"})
  @DisplayName("writer bug 32: a trigger whose commit got no answer is not acknowledged")
  void bug32ATriggerWithoutAnAnsweredCommitIsNotAcknowledged(CommitFate fate) throws Exception {
    Source source = path.newSource("lost_trigger");
    try (ConnectionCutter home = ConnectionCutter.before(path.homeDatabase)) {
      JobStage stage = stage(home);
      home.nextCommit(fate);

      assertThatThrownBy(() -> stage.recordTrigger(running(source)))
          .isInstanceOfSatisfying(
              ApplicationFailure.class, failure -> assertThat(failure.isNonRetryable()).isFalse())
          .hasMessageContaining("home database");
      assertThat(isWrittenDown(source)).isEqualTo(fate == CommitFate.CUT_AFTER);

      // as Temporal does: the activity again, until it has an answer
      assertThat(stage.recordTrigger(running(source)).disposition())
          .isEqualTo(TriggerDisposition.RUNNING);
      assertThat(path.triggers.newest(RegisterFixture.ref(source), 10))
          .singleElement()
          .satisfies(stored -> assertThat(stored.state()).isEqualTo(TriggerState.RUNNING));
    }
  }

  private static Source live(String table) throws SQLException {
    Source source = path.newSource(table);
    path.write(source, 100, "a.parquet", "SELECT 100 AS g");
    path.write(source, 200, "a.parquet", "SELECT 200 AS g");
    assertThat(path.run(source.trigger(100)).reason()).isNull();
    return source;
  }

  private static void catalogThrough(Catalog catalog) {
    path.lakeFault =
        lake -> new LakeAccess(lake.name(), catalog, lake.store(), lake.state(), lake.probe());
  }

  @Test
  @DisplayName("writer bug 32: an attempt is completed only after its publication is committed")
  void bug32AnAttemptIsCompletedAfterItsPublication() throws Exception {
    Source source = live("held_publication");
    try (ConnectionCutter cutter = ConnectionCutter.before(path.lakeDatabase)) {
      catalogThrough(Catalog.open(cutter.database().dataSource(), "public"));
      ConnectionCutter.PlannedCommit held =
          cutter.nextCommitOf("ducklake_snapshot", CommitFate.HOLD);
      path.start(source.trigger(200));
      held.await();

      assertThat(path.attempts(source).getFirst().status()).isEqualTo(JobStatus.RUNNING);
      assertThat(path.attempts(source).getFirst().snapshotId()).isNull();
      assertThat(path.triggers.newest(RegisterFixture.ref(source), 1).getFirst().state())
          .isEqualTo(TriggerState.RUNNING);
      assertThat(path.publications(source)).hasSize(1);
      assertThat(path.scan(source)).containsExactly(List.of("100"));

      held.release();
      RegisterResult result = path.await(source.trigger(200));
      assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
      assertCompletedAs(source, result);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CUT_BEFORE", "CUT_AFTER"})
  @DisplayName(
      "writer bug 32: an attempt whose commit got no answer stays running until it is known")
  void bug32AnUnknownCommitIsNotAnEnd(CommitFate fate) throws Exception {
    Source source = live("lost_publication");
    ConcurrentLinkedQueue<JobStatus> whenTriedAgain = new ConcurrentLinkedQueue<>();
    try (ConnectionCutter cutter = ConnectionCutter.before(path.lakeDatabase)) {
      Catalog through = Catalog.open(cutter.database().dataSource(), "public");
      ConnectionCutter.PlannedCommit lost = cutter.nextCommitOf("ducklake_snapshot", fate);
      path.lakeFault =
          lake -> {
            if (lost.isReached()) {
              whenTriedAgain.add(path.attempts(source).getFirst().status());
            }
            return new LakeAccess(lake.name(), through, lake.store(), lake.state(), lake.probe());
          };

      RegisterResult result = path.run(source.trigger(200));

      assertThat(lost.isReached()).isTrue();
      assertThat(whenTriedAgain).isNotEmpty();
      assertThat(whenTriedAgain.peek()).isEqualTo(JobStatus.RUNNING);
      assertThat(result.status()).isEqualTo(RegisterStatus.COMPLETED);
      assertCompletedAs(source, result);
    }
  }

  private static void assertCompletedAs(Source source, RegisterResult result) throws SQLException {
    SourceJob attempt = path.attempts(source).getFirst();
    assertThat(attempt.status()).isEqualTo(JobStatus.COMPLETED);
    assertThat(attempt.snapshotId()).isEqualTo(result.snapshotId());
    assertThat(path.publications(source)).hasSize(2);
    assertThat(path.publications(source).getFirst().snapshotId()).isEqualTo(result.snapshotId());
    assertThat(path.scan(source)).containsExactly(List.of("200"));
    assertThat(path.duckDb("SELECT g FROM " + source.sql())).containsExactly(List.of("200"));
  }
}
