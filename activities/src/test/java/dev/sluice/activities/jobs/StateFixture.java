package dev.sluice.activities.jobs;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptOpening;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ProducerOrder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** A migrated database of its own behind a pool of one, with every store over it. */
final class StateFixture implements AutoCloseable {
  static final Instant START = Instant.parse("2026-11-29T10:00:00Z");
  static final String SOURCE_ID = "01a2b3c4-0000-7000-8000-000000000001";
  static final String NAMESPACE = "default";
  static final SourceRef SOURCE = new SourceRef(2, SOURCE_ID);

  final PostgresDatabase postgres =
      EmbeddedDatabase.shared().newDatabase("state", StateFixture::migrate);
  final HikariDataSource pool = postgres.dataSource(1);
  final StateDatabase home = new StateDatabase("home database", pool);
  final ErrorText text = ErrorText.withoutKnownSecrets();
  final SourceJobEvents events = new SourceJobEvents(home, text);
  final TriggerStore triggers = new TriggerStore(home, events, text);
  final SourceJobs jobs = new SourceJobs(home, events, triggers, text);
  final Provisioning provisioning = new Provisioning(home);
  final TableNames names = new TableNames(home);
  final SourceStatuses statuses = new SourceStatuses(home, events, triggers);
  final ReaperList reaperList = new ReaperList(home, events, text);
  final CheckResults checks = new CheckResults(home, text);

  private static void migrate(PostgresDatabase empty) {
    Migrations.migrate(Migrations.Part.HOME, "home database", empty.dataSource());
    Migrations.migrate(Migrations.Part.LAKE, "lake main", empty.dataSource());
  }

  static RegisterTrigger trigger(long order) {
    return trigger("job-" + order, order);
  }

  static RegisterTrigger trigger(String job, long order) {
    return new RegisterTrigger(
        SOURCE.team(),
        job,
        SOURCE.schemaId(),
        "Postgres",
        "prod",
        "flights",
        "flights__query_" + order + "_0a1b2c3d",
        new ProducerOrder(ProducerOrder.Kind.FOLDER_EPOCH, order),
        null,
        null);
  }

  static TriggerRecord record(RegisterTrigger trigger, TriggerDisposition disposition, String run) {
    return new TriggerRecord(
        WorkflowPath.REGISTER, trigger, disposition, null, "workflow-1", run, NAMESPACE, START);
  }

  static AttemptOpening opening(RegisterTrigger trigger, Instant startedAt, String run) {
    return new AttemptOpening(
        WorkflowPath.REGISTER, trigger, startedAt, "workflow-1", run, NAMESPACE);
  }

  static AttemptKey key(AttemptRef attempt) {
    return new AttemptKey(WorkflowPath.REGISTER, SOURCE, attempt);
  }

  static RegisterResult result(
      RegisterStatus status, RegisterTrigger trigger, @Nullable String reason) {
    boolean done = status == RegisterStatus.COMPLETED;
    return new RegisterResult(
        status,
        reason,
        null,
        trigger.attemptId(),
        trigger.generation().value(),
        "insights_data_imports_team_2",
        "postgres_prod_flights",
        done ? Long.valueOf(10) : null,
        done ? Long.valueOf(2) : null,
        done ? Long.valueOf(2048) : null,
        done ? Long.valueOf(7) : null);
  }

  /** Reads one thing. */
  <T> Optional<T> find(Function<DSLContext, Optional<T>> query) {
    return home.read(query);
  }

  /** Reads many things. */
  <T> List<T> list(Function<DSLContext, List<T>> query) {
    return home.read(query);
  }

  /** Opens an attempt and ends it. */
  SourceJob ended(RegisterTrigger trigger, Instant startedAt, String run, RegisterResult result) {
    AttemptRef attempt = jobs.open(opening(trigger, startedAt, run));
    return jobs.close(key(attempt), result);
  }

  /** Configures team 2 with one lake and the source. */
  void provision() {
    provisioning.put(
        new Provisioning.Lake("main", "ducklake", "localhost:5432/ducklake", "s3://lake/"));
    provisioning.put(
        new Provisioning.Team(
            2, "main", "copy_v1", "insights_data_imports_team_2", "insights_data_modeling_team_2"));
    provisioning.put(new Provisioning.Source(SOURCE, "Postgres", "prod", "flights", null));
  }

  @Override
  public void close() {
    pool.close();
  }
}
