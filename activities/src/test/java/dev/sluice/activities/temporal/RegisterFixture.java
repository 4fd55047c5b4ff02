package dev.sluice.activities.temporal;

import com.google.protobuf.ByteString;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.jobs.ErrorText;
import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.Migrations;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.ReaperList;
import dev.sluice.activities.jobs.SourceEvent;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.SourceStatuses;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.jobs.TriggerStore;
import dev.sluice.activities.query.CachedDataFiles;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.FileProbe;
import dev.sluice.activities.query.LakeScanner;
import dev.sluice.activities.query.LocalDataFiles;
import dev.sluice.activities.query.ScanRequest;
import dev.sluice.activities.query.ScanRows;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectStores;
import dev.sluice.activities.storage.S3Credentials;
import dev.sluice.activities.storage.S3Settings;
import dev.sluice.activities.storage.Secret;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.verify.CheckPlans;
import dev.sluice.activities.verify.CheckRules;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.TableName;
import dev.sluice.embedded.CatalogDump;
import dev.sluice.embedded.DuckDbReferee;
import dev.sluice.embedded.DuckLakeAttachment;
import dev.sluice.embedded.DuckLakeSession;
import dev.sluice.embedded.EmbeddedDatabase;
import dev.sluice.embedded.EmbeddedS3;
import dev.sluice.embedded.EmbeddedTemporal;
import dev.sluice.embedded.PostgresDatabase;
import dev.sluice.workflows.PublishSetInput;
import dev.sluice.workflows.PublishSetResult;
import dev.sluice.workflows.PublishSetWorkflow;
import dev.sluice.workflows.RegisterInput;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;
import dev.sluice.workflows.RollbackRequest;
import dev.sluice.workflows.RollbackWorkflow;
import dev.sluice.workflows.SearchAttributes;
import dev.sluice.workflows.Workflows;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.PreparedFolder;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.converter.RawValue;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The whole register path: a home and a lake database, a source and a lake store, a Temporal
 * service with one worker, and a DuckDB attached to the lake. Tests of one class share it, each
 * with sources of its own.
 */
final class RegisterFixture implements AutoCloseable {

  static final long TEAM = 2;
  static final String LAKE = "main";
  static final String SECRET = "p4ss-MARK-in-tests";
  private static final String METADATA_SCHEMA = "public";
  private static final long CACHE_BYTES = 256L << 20;
  private static final Duration HEARTBEAT_THROTTLE = Duration.ofMillis(50);

  final PostgresDatabase homeDatabase;
  final PostgresDatabase lakeDatabase;
  final TestGate gate = new TestGate();
  final ErrorText text = new ErrorText(List.of(SECRET));
  final StorageLocation sourceRoot;
  final StorageLocation lakeRoot;
  final SourceJobs jobs;
  final SourceJobEvents events;
  final TriggerStore triggers;
  final SourceStatuses statuses;
  final ReaperList reaperList;
  final CheckResults checks;
  final TableNames names;
  final Provisioning provisioning;
  final StateDatabase homeState;
  final StateDatabase lakeState;
  final Catalog catalog;
  final ObjectStore lakeStore;
  final ObjectStores stores;

  private final HikariDataSource homePool;
  private final HikariDataSource lakePool;
  private final DuckLakeSession duckDb;
  private final DataFiles dataFiles;
  private final EmbeddedTemporal temporal = EmbeddedTemporal.start(0, attributes());
  private final WorkerFactory factory;
  private final AtomicInteger counter = new AtomicInteger();
  final Sources sources = new TestSources();

  /** What tests change: how sources are taken, and faults between the stages and their stores. */
  volatile Sources.Options options = Sources.Options.defaults();

  volatile CheckPlans plans = CheckRules.DEFAULT;

  volatile UnaryOperator<LakeAccess> lakeFault = UnaryOperator.identity();
  volatile UnaryOperator<ObjectStore> sourceFault = UnaryOperator.identity();

  private RegisterFixture(
      StorageLocation sourceRoot,
      StorageLocation lakeRoot,
      ObjectStores stores,
      Path scratch,
      Faults faults,
      EmbeddedDatabase server)
      throws SQLException {
    DuckDbReferee.assumeAvailable();
    homeDatabase =
        server.newDatabase(
            "home",
            empty -> Migrations.migrate(Migrations.Part.HOME, "home database", empty.dataSource()));
    lakeDatabase = server.newDatabase();
    homePool = faults.route().to(homeDatabase);
    lakePool = faults.route().to(lakeDatabase);
    this.sourceRoot = sourceRoot;
    this.lakeRoot = lakeRoot;
    this.stores = stores;
    stores.createRootIfMissing(sourceRoot);
    stores.createRootIfMissing(lakeRoot);
    Catalog.create(lakeDatabase.dataSource(), METADATA_SCHEMA, lakeRoot.uri());
    catalog = Catalog.open(lakePool, METADATA_SCHEMA);
    lakeStore = stores.open(lakeRoot);
    StateDatabase home = new StateDatabase("home database", faults.home().apply(homePool));
    homeState = home;
    lakeState = new StateDatabase("lake main", lakePool);
    events = new SourceJobEvents(home, text);
    triggers = new TriggerStore(home, events, text);
    jobs = new SourceJobs(home, events, triggers, text);
    reaperList = new ReaperList(home, events, text);
    statuses = new SourceStatuses(home, events, triggers);
    checks = new CheckResults(home, text);
    names = new TableNames(home);
    provisioning = new Provisioning(home);
    dataFiles =
        lakeRoot instanceof StorageLocation.Local
            ? new LocalDataFiles(scratch.resolve("links"))
            : new CachedDataFiles(lakeStore, scratch.resolve("cache"), CACHE_BYTES);
    provision();
    factory =
        WorkerFactory.newInstance(
            temporal.client(),
            WorkerFactoryOptions.newBuilder().setWorkerInterceptors(faults.activities()).build());
    startWorker(faults.atOnce());
    duckDb = DuckLakeSession.open();
    duckDb.useS3(EmbeddedS3.shared());
    duckDb.attach(DuckLakeAttachment.existing(lakeDatabase));
  }

  /** Source and lake in buckets of the embedded S3 endpoint. */
  static RegisterFixture onS3(Path scratch) throws SQLException {
    EmbeddedS3 s3 = EmbeddedS3.shared();
    return new RegisterFixture(
        new StorageLocation.S3(s3.newBucket("source"), "prepared"),
        new StorageLocation.S3(s3.newBucket("lake"), "lake"),
        ObjectStores.connect(s3Settings(s3.secretKey())),
        scratch,
        Faults.none(),
        EmbeddedDatabase.shared());
  }

  /** Source and lake in local folders; faster. */
  static RegisterFixture local(Path scratch) throws SQLException {
    return local(scratch, Faults.none());
  }

  /**
   * What stands between the worker and the world beyond what {@link #lakeFault} and {@link
   * #sourceFault} can change.
   *
   * @param atOnce activities that the worker carries out at a time
   * @param route how the worker reaches both databases
   */
  record Faults(
      UnaryOperator<DataSource> home, WorkerInterceptor activities, int atOnce, Route route) {
    /** As many as a worker does. */
    static final int MANY = 200;

    Faults(UnaryOperator<DataSource> home, WorkerInterceptor activities, int atOnce) {
      this(home, activities, atOnce, Route.DIRECT);
    }

    Faults(UnaryOperator<DataSource> home, WorkerInterceptor activities) {
      this(home, activities, MANY);
    }

    static Faults none(Route route) {
      return new Faults(UnaryOperator.identity(), new WorkerInterceptorBase(), MANY, route);
    }

    static Faults none() {
      return new Faults(UnaryOperator.identity(), new WorkerInterceptorBase());
    }
  }

  /** A way to a database. */
  @FunctionalInterface
  interface Route {
    /** Few connections of the database's own. */
    Route DIRECT = database -> database.dataSource(2);

    HikariDataSource to(PostgresDatabase database);
  }

  static RegisterFixture local(Path scratch, Faults faults) throws SQLException {
    return local(scratch, faults, EmbeddedDatabase.shared());
  }

  /** With a server of its own, which the test may take down; the caller closes it. */
  static RegisterFixture local(Path scratch, Faults faults, EmbeddedDatabase server)
      throws SQLException {
    return new RegisterFixture(
        new StorageLocation.Local(scratch.resolve("source")),
        new StorageLocation.Local(scratch.resolve("lake")),
        ObjectStores.connect(s3Settings(EmbeddedS3.shared().secretKey())),
        scratch,
        faults,
        server);
  }

  static S3Settings s3Settings(String secretKey) {
    EmbeddedS3 s3 = EmbeddedS3.shared();
    return S3Settings.endpoint(
        s3.endpoint(), s3.region(), new S3Credentials.Fixed(s3.accessKey(), Secret.of(secretKey)));
  }

  private void provision() {
    provisioning.put(
        new Provisioning.Lake(LAKE, METADATA_SCHEMA, "localhost/lake", lakeRoot.uri()));
    provisioning.put(
        new Provisioning.Team(
            TEAM,
            LAKE,
            "copy_v1",
            "insights_data_imports_team_" + TEAM,
            "insights_data_modeling_team_" + TEAM));
  }

  private void startWorker(int activitiesAtOnce) {
    Failures failures = new Failures(text);
    Lakes lakes = name -> lakeFault.apply(lake(name));
    AttemptEnds ends = new AttemptEnds(jobs, reaperList, names, lakes);
    PrepareStage.Home home = home();
    Verifier verifier =
        new Verifier(
            checks,
            (table, source) -> plans.of(table, source),
            Verifier.Settings.defaults(),
            failures);
    Worker worker =
        factory.newWorker(
            Workflows.TASK_QUEUE,
            WorkerOptions.newBuilder()
                .setMaxConcurrentActivityExecutionSize(activitiesAtOnce)
                // a cancellation comes with a heartbeat's answer; the default waits 24 s for one
                .setMaxHeartbeatThrottleInterval(HEARTBEAT_THROTTLE)
                .build());
    Workflows.implementations().forEach(worker::registerWorkflowImplementationTypes);
    worker.registerActivitiesImplementations(
        gate,
        new JobStage(triggers, jobs, events, ends, failures),
        new PrepareStage(home, lakes, sources, failures),
        new LandStage(lakes, sources, failures, Limits.defaults()),
        new InspectStage(lakes, sources, failures, Limits.defaults()),
        new VerifyStage(verifier, lakes, sources, failures, Limits.defaults()),
        new CopyStage(
            home, verifier, lakes, lake -> dataFiles, sources, failures, Limits.defaults()),
        new PublishStage(events, lakes, sources, failures),
        new RestoreStage(jobs, triggers, checks, lakes, failures));
    factory.start();
  }

  /** The home database's stores as the prepare stages have them. */
  PrepareStage.Home home() {
    return new PrepareStage.Home(provisioning, names, triggers, jobs, events);
  }

  /** The lake as a worker without faults sees it. */
  LakeAccess lake(String name) {
    return new LakeAccess(name, catalog, lakeStore, lakeState, new FileProbe(dataFiles));
  }

  private final class TestSources implements Sources {
    @Override
    public ObjectStore preparedFolder(RegisterTrigger trigger, PreparedFolder folder) {
      return sourceFault.apply(stores.open(sourceRoot.resolve(folder.name())));
    }

    @Override
    public ObjectStore deltaTable(RegisterTrigger trigger) {
      return sourceFault.apply(
          stores.open(
              trigger.path() == WorkflowPath.MODEL
                  ? StorageLocation.parse(trigger.preparedFolder())
                  : sourceRoot.resolve(trigger.table())));
    }

    @Override
    public Options options(RegisterTrigger trigger) {
      return options;
    }
  }

  /** A source that no other test uses. */
  Source newSource(String table) {
    int number = counter.incrementAndGet();
    Source source =
        new Source(TEAM, "01a2b3c4-0000-7000-8000-%012d".formatted(number), table + "_" + number);
    provision(source);
    return source;
  }

  /** Makes a source known, as the configuration does. */
  void provision(Source source) {
    provisioning.put(new Provisioning.Source(ref(source), "Stripe", "", source.table(), null));
  }

  /** Store of a prepared folder. */
  ObjectStore folder(String name) {
    return stores.open(sourceRoot.resolve(name));
  }

  /** Writes one Parquet file of a generation from a SELECT. */
  void write(Source source, long epoch, String file, String select) throws SQLException {
    writeTo(source.folder(epoch), file, select);
  }

  /** Writes one Parquet file of a prepared folder from a SELECT. */
  void writeTo(String folder, String file, String select) throws SQLException {
    put(folder, file, parquet(select));
  }

  /** Content of a Parquet file as DuckDB writes it. */
  byte[] parquet(String select) throws SQLException {
    Path local = PreparedFiles.temporary();
    duckDb.execute("COPY (" + select + ") TO '" + local + "' (FORMAT parquet)");
    return PreparedFiles.bytes(local);
  }

  /** Puts any object into a prepared folder. */
  void put(String folder, String file, byte[] content) {
    stores.open(sourceRoot).put(folder + "/" + file, content);
  }

  /** A reaper whose turn it is, asking whatever service the client leads to. */
  Reaper reaper(WorkflowClient asked, int asks) {
    changeHome(dsl -> dsl.execute("DELETE FROM sluice.duty"));
    return new Reaper(
        reaperList,
        ends(),
        asked,
        new Reaper.Settings("test", Workflows.TASK_QUEUE, Duration.ofSeconds(20), asks));
  }

  /** Ends attempts as the job stage and the reaper do. */
  AttemptEnds ends() {
    return new AttemptEnds(jobs, reaperList, names, name -> lakeFault.apply(lake(name)));
  }

  /** A pass of a reaper of this stack. */
  Reaper.Pass.Done reap() {
    return (Reaper.Pass.Done) reaper(client(), 1000).pass();
  }

  /** Changes rows of the home database behind everybody's back. */
  void changeHome(Consumer<DSLContext> change) {
    homeState.write(
        dsl -> {
          change.accept(dsl);
          return dsl;
        });
  }

  /** Makes what was just written old enough for the reaper. */
  void age(Source source) {
    changeHome(
        dsl ->
            dsl.execute(
                "UPDATE sluice.trigger SET updated_at = updated_at - INTERVAL '1 minute'"
                    + " WHERE schema_id = ?",
                source.schemaId()));
  }

  /** Starts the source's workflow. */
  RegisterWorkflow start(RegisterTrigger trigger) {
    RegisterWorkflow workflow =
        client()
            .newWorkflowStub(
                RegisterWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .setWorkflowId(WorkflowIds.of(trigger))
                    .build());
    WorkflowClient.start(workflow::run, RegisterInput.of(trigger));
    return workflow;
  }

  /** Where the Temporal service listens. */
  String temporalTarget() {
    return temporal.target();
  }

  WorkflowClient client() {
    return temporal.client();
  }

  /** Waits for the end of the source's chain of runs; a failed one gives its result as well. */
  RegisterResult await(RegisterTrigger trigger) {
    WorkflowStub chain = client().newUntypedWorkflowStub(WorkflowIds.of(trigger));
    try {
      return chain.getResult(RegisterResult.class);
    } catch (WorkflowFailedException e) {
      return RegisterResult.ofFailure(e).orElseThrow(() -> e);
    }
  }

  /** Runs a trigger to its end. */
  RegisterResult run(RegisterTrigger trigger) {
    start(trigger);
    return await(trigger);
  }

  /** Starts a set. */
  PublishSetWorkflow startSet(String name, RegisterTrigger... members) {
    PublishSetWorkflow workflow =
        client()
            .newWorkflowStub(
                PublishSetWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .setWorkflowId(PublishSetWorkflow.TYPE + "-" + name)
                    .build());
    WorkflowClient.start(workflow::run, new PublishSetInput(name, List.of(members)));
    return workflow;
  }

  /** Runs a set to its end; a failed one gives its result as well. */
  PublishSetResult publishSet(String name, RegisterTrigger... members) {
    try {
      return WorkflowStub.fromTyped(startSet(name, members)).getResult(PublishSetResult.class);
    } catch (WorkflowFailedException e) {
      if (e.getCause() instanceof ApplicationFailure failure
          && failure.getDetails().getSize() == 1) {
        return failure.getDetails().get(0, PublishSetResult.class);
      }
      throw e;
    }
  }

  /** Runs a rollback of the source's table to its end. */
  RegisterResult rollback(Source source, String generation, @Nullable String key) {
    RollbackWorkflow workflow =
        client()
            .newWorkflowStub(
                RollbackWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .setWorkflowId(
                        WorkflowIds.of(RollbackWorkflow.TYPE, source.team(), source.schemaId()))
                    .build());
    return workflow.run(
        new RollbackRequest(
            source.team(),
            source.schemaId(),
            LAKE,
            source.schema(),
            source.published(),
            generation,
            key));
  }

  /** Starts the source's workflow with any JSON; returns what ended it, by its class. */
  String runRaw(RegisterTrigger trigger, String json) {
    WorkflowStub stub =
        client()
            .newUntypedWorkflowStub(
                RegisterWorkflow.TYPE,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(Workflows.TASK_QUEUE)
                    .setWorkflowId(WorkflowIds.of(trigger))
                    .build());
    stub.start(
        new RawValue(
            Payload.newBuilder()
                .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
                .setData(ByteString.copyFromUtf8(json))
                .build()));
    try {
      return String.valueOf(stub.getResult(20, TimeUnit.SECONDS, RegisterResult.class));
    } catch (TimeoutException | RuntimeException e) {
      return e.getClass().getSimpleName();
    }
  }

  /** Asks DuckDB; all values as its text. */
  List<List<@Nullable String>> duckDb(String sql) throws SQLException {
    return duckDb.queryText(sql);
  }

  /** Attaches the lake anew: DuckDB's own connections did not outlive the server. */
  void reattach() throws SQLException {
    duckDb.detach("lake");
    duckDb.attach(DuckLakeAttachment.existing(lakeDatabase));
  }

  DuckLakeSession session() {
    return duckDb;
  }

  /** All rows of the published table by our own scan. */
  List<List<@Nullable String>> scan(Source source) {
    return scan(ScanRequest.all(name(source), catalog.reader().latest()));
  }

  List<List<@Nullable String>> scan(ScanRequest request) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ScanRows scan = new LakeScanner(catalog.reader(), dataFiles).scan(request)) {
      while (scan.next()) {
        rows.add(scan.row());
      }
    }
    return rows;
  }

  static TableName name(Source source) {
    return new TableName(source.schema(), source.published());
  }

  static SourceRef ref(Source source) {
    return new SourceRef(source.team(), source.schemaId());
  }

  /** Every attempt of a source, newest first. */
  List<SourceJob> attempts(Source source) {
    return jobs.history(ref(source), 50);
  }

  /** Kinds of the source's events, newest first. */
  List<EventKind> eventKinds(Source source) {
    return events.newest(ref(source), 100).stream().map(SourceEvent::kind).toList();
  }

  /** Publications of the source's table, newest first. */
  List<Publication> publications(Source source) {
    Target target = new Target(catalog.info().key(), source.schema(), source.published());
    return lakeState.read(dsl -> Publications.history(dsl, target));
  }

  /** Everything the lake's catalog holds, to show that something changed nothing. */
  CatalogDump catalogRows() throws SQLException {
    return CatalogDump.of(lakeDatabase, METADATA_SCHEMA);
  }

  private static Map<String, IndexedValueType> attributes() {
    Map<String, IndexedValueType> types = new LinkedHashMap<>();
    SearchAttributes.all().forEach(key -> types.put(key.getName(), key.getValueType()));
    return types;
  }

  @Override
  public void close() throws SQLException {
    factory.shutdownNow();
    factory.awaitTermination(5, TimeUnit.SECONDS);
    temporal.close();
    duckDb.close();
    stores.close();
    homePool.close();
    lakePool.close();
  }
}
