package dev.sluice.worker.wiring;

import dev.sluice.activities.temporal.AttemptEnds;
import dev.sluice.activities.temporal.CopyStage;
import dev.sluice.activities.temporal.Failures;
import dev.sluice.activities.temporal.InspectStage;
import dev.sluice.activities.temporal.JobStage;
import dev.sluice.activities.temporal.LandStage;
import dev.sluice.activities.temporal.Limits;
import dev.sluice.activities.temporal.PrepareStage;
import dev.sluice.activities.temporal.PublishStage;
import dev.sluice.activities.temporal.Reaper;
import dev.sluice.activities.temporal.RestoreStage;
import dev.sluice.activities.temporal.Sources;
import dev.sluice.activities.temporal.Verifier;
import dev.sluice.activities.temporal.VerifyStage;
import dev.sluice.worker.config.CheckSettings;
import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.config.LimitSettings;
import dev.sluice.worker.gate.Flags;
import dev.sluice.worker.gate.Gate;
import dev.sluice.worker.metrics.RegisterMetrics;
import dev.sluice.worker.metrics.SluiceMetrics;
import dev.sluice.workflows.Workflows;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker: every workflow and activity of Sluice on one task queue. The only place where they
 * are put together.
 */
public final class SluiceWorker implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(SluiceWorker.class);

  /** What runs at shutdown may finish a file or a commit. */
  private static final long GRACE_SECONDS = 30;

  /** Activities that were interrupted need a moment to let go. */
  private static final long SHORT_SECONDS = 5;

  private final WorkerFactory factory;
  private final Worker worker;
  private final SluiceMetrics metrics;
  private final ReaperLoop reaper;

  private SluiceWorker(
      WorkerFactory factory, Worker worker, SluiceMetrics metrics, ReaperLoop reaper) {
    this.factory = factory;
    this.worker = worker;
    this.metrics = metrics;
    this.reaper = reaper;
  }

  /**
   * Puts a worker together; it takes no work before {@link #start()}.
   *
   * @throws io.temporal.failure.ApplicationFailure when search attributes are missing and cannot be
   *     registered
   */
  public static SluiceWorker assemble(
      Connections connections, TemporalConnection temporal, Flags flags) {
    SearchAttributeSetup.ensure(temporal);
    LimitSettings limits = connections.configuration().limits();
    HomeStores home = connections.home();
    SluiceMetrics metrics = new SluiceMetrics();
    RegisterMetrics registerMetrics = new RegisterMetrics(metrics, home.jobs());
    AttemptEnds ends = new AttemptEnds(home.jobs(), home.reaperList(), home.names(), connections);
    WorkerFactory factory =
        WorkerFactory.newInstance(
            temporal.client(),
            WorkerFactoryOptions.newBuilder().setWorkerInterceptors(registerMetrics).build());
    Worker worker =
        factory.newWorker(
            temporal.settings().queue(),
            WorkerOptions.newBuilder()
                .setMaxConcurrentActivityExecutionSize(limits.activities())
                .setMaxConcurrentWorkflowTaskExecutionSize(limits.workflowTasks())
                .build());
    ReaperLoop reaper =
        new ReaperLoop(
            new Reaper(home.reaperList(), ends, temporal.client(), reaperSettings(connections)),
            connections.configuration().reaper().every(),
            metrics,
            registerMetrics);
    SluiceWorker assembled = new SluiceWorker(factory, worker, metrics, reaper);
    assembled.workflows(Workflows.implementations());
    assembled.activities(activities(connections, flags, ends));
    return assembled;
  }

  private static Reaper.Settings reaperSettings(Connections connections) {
    Configuration configuration = connections.configuration();
    return new Reaper.Settings(
        ManagementFactory.getRuntimeMXBean().getName(),
        configuration.temporal().queue(),
        configuration.reaper().every(),
        configuration.reaper().asks());
  }

  private static Object[] activities(Connections connections, Flags flags, AttemptEnds ends) {
    HomeStores home = connections.home();
    Failures failures = new Failures(home.text());
    Sources sources = new ConfiguredSources(connections);
    CheckSettings checks = connections.configuration().checks();
    LimitSettings configured = connections.configuration().limits();
    Limits limits = new Limits(configured.copies(), configured.footers());
    // one for all paths: its bound on verifications at a time is the worker's
    Verifier verifier = new Verifier(home.checks(), checks.rules(), checks.limits(), failures);
    return new Object[] {
      new Gate(flags, home.provisioning(), home.pauses()),
      new JobStage(home.triggers(), home.jobs(), home.events(), ends, failures),
      new PrepareStage(
          new PrepareStage.Home(
              home.provisioning(), home.names(), home.triggers(), home.jobs(), home.events()),
          connections,
          sources,
          failures),
      new LandStage(connections, sources, failures, limits),
      new InspectStage(connections, sources, failures, limits),
      new VerifyStage(verifier, connections, sources, failures, limits),
      new CopyStage(
          new PrepareStage.Home(
              home.provisioning(), home.names(), home.triggers(), home.jobs(), home.events()),
          verifier,
          connections,
          connections::files,
          sources,
          failures,
          limits),
      new PublishStage(home.events(), connections, sources, failures),
      new RestoreStage(home.jobs(), home.triggers(), home.checks(), connections, failures)
    };
  }

  /** Adds further workflows to the same queue, e.g. a sample upstream's. */
  public void workflows(List<Class<?>> implementations) {
    worker.registerWorkflowImplementationTypes(implementations.toArray(Class<?>[]::new));
  }

  /** Adds further activities to the same queue. */
  public void activities(Object... implementations) {
    worker.registerActivitiesImplementations(implementations);
  }

  /** Begins to work. */
  public void start() {
    factory.start();
    reaper.start();
    log.info("worker started queue={}", worker.getTaskQueue());
  }

  /** What it counts. */
  public SluiceMetrics metrics() {
    return metrics;
  }

  /** Stops polling, lets what runs finish, then interrupts it. */
  @Override
  public void close() {
    reaper.close();
    factory.shutdown();
    factory.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS);
    if (!factory.isTerminated()) {
      log.warn("interrupting what still runs after {} s", GRACE_SECONDS);
      factory.shutdownNow();
      factory.awaitTermination(SHORT_SECONDS, TimeUnit.SECONDS);
    }
  }
}
