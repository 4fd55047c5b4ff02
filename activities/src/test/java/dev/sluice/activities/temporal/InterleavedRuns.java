package dev.sluice.activities.temporal;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.Migrations;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.ReaperList;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.activities.parquet.DataProbe;
import dev.sluice.activities.query.FileProbe;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.verify.CheckRules;
import dev.sluice.catalog.Catalog;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.EmbeddedS3;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.PreparedFolder;
import io.temporal.testing.TestActivityEnvironment;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * A lake with its home database in one PostgreSQL database, and workers on it whose steps the test
 * lets them take one at a time. Not thread-safe.
 */
final class InterleavedRuns implements AutoCloseable {

  private static final String LAKE = "main";
  private static final String METADATA_SCHEMA = "public";
  private static final int CONNECTIONS = 8;

  final ObjectStore lakeStore;
  final ObjectStores stores;
  final HikariDataSource pool;
  final DuckLakeSession duckDb;
  final Worker bystander;
  private final StorageLocation sourceRoot;
  private final DataProbe probe;
  private final ErrorText text = ErrorText.withoutKnownSecrets();
  private final List<Worker> workers = new ArrayList<>();

  /** Stages over data sources and stores of their own. */
  static final class Worker {
    final Baton baton;
    final SourceJobs jobs;
    final TriggerStore triggers;
    final StateDatabase lakeState;
    final JobStage closing;
    private final TestActivityEnvironment activities;

    private Worker(
        Baton baton,
        SourceJobs jobs,
        TriggerStore triggers,
        StateDatabase lakeState,
        JobStage closing,
        TestActivityEnvironment activities) {
      this.baton = baton;
      this.jobs = jobs;
      this.triggers = triggers;
      this.lakeState = lakeState;
      this.closing = closing;
      this.activities = activities;
    }

    ScriptedRun run(RegisterTrigger trigger, String runId) {
      return new ScriptedRun(trigger, runId, activities, baton);
    }
  }

  /**
   * Makes a lake.
   *
   * @param server a PostgreSQL server
   * @param folder an empty folder
   */
  InterleavedRuns(EmbeddedDatabase server, Path folder, int workers) throws SQLException {
    PostgresDatabase database = server.newDatabase();
    StorageLocation lakeRoot = new StorageLocation.Local(folder.resolve("lake"));
    this.sourceRoot = new StorageLocation.Local(folder.resolve("source"));
    this.stores = ObjectStores.connect(RegisterFixture.s3Settings(EmbeddedS3.shared().secretKey()));
    stores.createRootIfMissing(sourceRoot);
    stores.createRootIfMissing(lakeRoot);
    Migrations.migrate(Migrations.Part.HOME, "home database", database.dataSource());
    Catalog.create(database.dataSource(), METADATA_SCHEMA, lakeRoot.uri());
    this.lakeStore = stores.open(lakeRoot);
    this.pool = database.dataSource(CONNECTIONS);
    this.probe = new FileProbe(new LocalDataFiles(folder.resolve("links")));
    Provisioning provisioning = new Provisioning(new StateDatabase("home database", pool));
    provisioning.put(
        new Provisioning.Lake(LAKE, METADATA_SCHEMA, "localhost/lake", lakeRoot.uri()));
    provisioning.put(
        new Provisioning.Team(
            RegisterFixture.TEAM,
            LAKE,
            "copy_v1",
            "insights_data_imports_team_" + RegisterFixture.TEAM,
            "insights_data_modeling_team_" + RegisterFixture.TEAM));
    this.bystander = worker(Steps.NONE, new Baton());
    for (int i = 0; i < workers; i++) {
      Baton baton = new Baton();
      this.workers.add(worker(baton, baton));
    }
    this.duckDb = DuckLakeSession.open();
    duckDb.attach(DuckLakeAttachment.existing(database));
  }

  /** Another worker; its baton is new for every run. */
  Worker worker(int number) {
    return workers.get(number);
  }

  String lakeKey() {
    return METADATA_SCHEMA;
  }

  void put(String folder, String file, byte[] content) {
    stores.open(sourceRoot).put(folder + "/" + file, content);
  }

  private Worker worker(Steps steps, Baton baton) {
    DataSource homeSource = SteppedDatabase.of(pool, "home", steps);
    DataSource lakeSource = SteppedDatabase.of(pool, "lake", steps);
    StateDatabase home = new StateDatabase("home database", homeSource);
    StateDatabase lakeState = new StateDatabase("lake main", lakeSource);
    SourceJobEvents events = new SourceJobEvents(home, text);
    TriggerStore triggers = new TriggerStore(home, events, text);
    SourceJobs jobs = new SourceJobs(home, events, triggers, text);
    TableNames names = new TableNames(home);
    Failures failures = new Failures(text);
    ObjectStore store = new SteppedStore(lakeStore, "lake store", steps);
    // a worker opens its lake once; what it knows of it dies with it
    Map<Integer, LakeAccess> opened = new ConcurrentHashMap<>();
    Lakes lakes =
        name ->
            opened.computeIfAbsent(
                baton.lives(),
                life ->
                    new LakeAccess(
                        name, Catalog.open(lakeSource, METADATA_SCHEMA), store, lakeState, probe));
    Sources sources = new SteppedSources(steps);
    JobStage jobStage =
        new JobStage(
            triggers,
            jobs,
            events,
            new AttemptEnds(jobs, new ReaperList(home, events, text), names, lakes),
            failures);
    TestActivityEnvironment activities = TestActivityEnvironment.newInstance();
    activities.registerActivitiesImplementations(
        jobStage,
        new PrepareStage(
            new PrepareStage.Home(new Provisioning(home), names, triggers, jobs, events),
            lakes,
            sources,
            failures),
        new LandStage(lakes, sources, failures, Limits.defaults()),
        new InspectStage(lakes, sources, failures, Limits.defaults()),
        new VerifyStage(
            new Verifier(
                new CheckResults(home, text),
                CheckRules.DEFAULT,
                Verifier.Settings.defaults(),
                failures),
            lakes,
            sources,
            failures,
            Limits.defaults()),
        new PublishStage(events, lakes, sources, failures));
    return new Worker(baton, jobs, triggers, lakeState, jobStage, activities);
  }

  private final class SteppedSources implements Sources {
    private final Steps steps;

    SteppedSources(Steps steps) {
      this.steps = steps;
    }

    @Override
    public ObjectStore preparedFolder(RegisterTrigger trigger, PreparedFolder folder) {
      return stepped(folder.name());
    }

    @Override
    public ObjectStore deltaTable(RegisterTrigger trigger) {
      return stepped(trigger.table());
    }

    private ObjectStore stepped(String folder) {
      return new SteppedStore(stores.open(sourceRoot.resolve(folder)), "source store", steps);
    }

    @Override
    public Options options(RegisterTrigger trigger) {
      return Options.defaults();
    }
  }

  @Override
  public void close() throws SQLException {
    workers.forEach(worker -> worker.activities.close());
    bystander.activities.close();
    duckDb.close();
    pool.close();
    stores.close();
  }
}
