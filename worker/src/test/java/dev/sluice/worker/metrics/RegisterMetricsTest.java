package dev.sluice.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.Migrations;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptClosing;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.ClosedAttempt;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.PrepareActivities;
import dev.sluice.workflows.activity.PrepareInput;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.activity.TriggerReceipt;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.worker.WorkerFactoryOptions;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegisterMetricsTest {
  private static final RegisterTrigger TRIGGER =
      new RegisterTrigger(
          2,
          "job",
          "s-1",
          "Postgres",
          null,
          "flights",
          "flights__query_1",
          ProducerOrder.ofFolder("flights__query_1"),
          null,
          null);
  private static final AttemptRef ATTEMPT = new AttemptRef(TRIGGER.attemptId(), 1);

  private final PostgresDatabase postgres = EmbeddedDatabase.shared().newDatabase();
  private final HikariDataSource pool = postgres.dataSource(1);
  private final SluiceMetrics metrics = new SluiceMetrics();
  private final SourceJobs jobs = jobs();
  private final TestActivityEnvironment environment =
      TestActivityEnvironment.newInstance(
          TestEnvironmentOptions.newBuilder()
              .setWorkerFactoryOptions(
                  WorkerFactoryOptions.newBuilder()
                      .setWorkerInterceptors(new RegisterMetrics(metrics, jobs))
                      .build())
              .build());

  @AfterEach
  void close() {
    environment.close();
    pool.close();
  }

  @Test
  void anAttemptIsCountedFromOpeningToEnd() {
    Migrations.migrate(Migrations.Part.HOME, "home database", postgres.dataSource());
    environment.registerActivitiesImplementations(new Jobs(jobs));
    JobActivities stub = environment.newActivityStub(JobActivities.class);
    stub.openAttempt(
        new AttemptOpening(
            WorkflowPath.REGISTER,
            TRIGGER,
            Instant.parse("2026-01-01T00:00:00Z"),
            "w",
            "r",
            "default"));
    stub.closeAttempt(
        new AttemptClosing(
            WorkflowPath.REGISTER,
            TRIGGER,
            ATTEMPT,
            new RegisterResult(
                RegisterStatus.COMPLETED,
                null,
                null,
                TRIGGER.attemptId(),
                "1",
                "s",
                "t",
                10L,
                2L,
                300L,
                7L)));

    assertThat(metrics.registry().getCounters().keySet())
        .containsExactly(name("finished", ",status=\"completed\""), name("started", ""));
    assertThat(metrics.registry().histogram(name("rows_registered", "")).getSnapshot().getMax())
        .isEqualTo(10);
    assertThat(
            metrics
                .registry()
                .timer(name("duration_seconds", ",status=\"completed\""))
                .getSnapshot()
                .getMax())
        .isPositive();
    assertThat(metrics.registry().getGauges())
        .containsOnlyKeys(name("last_success_timestamp_seconds", ""));
  }

  @Test
  void aSupersededGenerationCountsAsStaleAtItsStage() {
    environment.registerActivitiesImplementations(
        (PrepareActivities) input -> PrepareResult.stale("newer"));
    environment
        .newActivityStub(PrepareActivities.class)
        .prepare(new PrepareInput(TRIGGER, ATTEMPT));

    assertThat(metrics.registry().getCounters().get(name("stale", ",stage=\"prepare\"")))
        .isNotNull();
    assertThat(metrics.registry().getTimers())
        .containsOnlyKeys(name("stage_duration", ",stage=\"prepare\",status=\"stale\""));
  }

  @Test
  void aFailedStageIsTimedAsFailed() {
    environment.registerActivitiesImplementations(
        (PrepareActivities)
            input -> {
              throw ApplicationFailure.newNonRetryableFailure("no such folder", "BadSource");
            });
    PrepareActivities stub = environment.newActivityStub(PrepareActivities.class);

    assertThatThrownBy(() -> stub.prepare(new PrepareInput(TRIGGER, ATTEMPT)))
        .isInstanceOf(ActivityFailure.class)
        .hasMessageContaining("prepare")
        .hasRootCauseMessage("message='no such folder', type='BadSource', nonRetryable=true");

    assertThat(metrics.registry().getTimers())
        .containsOnlyKeys(name("stage_duration", ",stage=\"prepare\",status=\"failed\""));
  }

  private SourceJobs jobs() {
    ErrorText text = ErrorText.withoutKnownSecrets();
    StateDatabase home = new StateDatabase("home database", pool);
    SourceJobEvents events = new SourceJobEvents(home, text);
    return new SourceJobs(home, events, new TriggerStore(home, events, text), text);
  }

  private static String name(String metric, String more) {
    return "ducklake_register_data_imports_"
        + metric
        + "{team_id=\"2\",schema_id=\"s-1\""
        + more
        + "}";
  }

  /** The job activities over the real store, without what needs a lake. */
  private record Jobs(SourceJobs store) implements JobActivities {
    @Override
    public TriggerReceipt recordTrigger(TriggerRecord input) {
      return TriggerReceipt.asAsked(input);
    }

    @Override
    public OpenedAttempt openAttempt(AttemptOpening input) {
      return OpenedAttempt.running(store.open(input));
    }

    @Override
    public ClosedAttempt closeAttempt(AttemptClosing input) {
      AttemptKey key = new AttemptKey(input.path(), new SourceRef(2, "s-1"), input.attempt());
      store.close(key, input.result());
      return new ClosedAttempt(input.result());
    }
  }
}
