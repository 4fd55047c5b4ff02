package dev.sluice.worker.wiring;

import dev.sluice.activities.jobs.Migrations;
import dev.sluice.activities.storage.StorageProbe;
import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.config.ProvisionedState;
import dev.sluice.worker.gate.FlagSource;
import dev.sluice.worker.gate.Flags;
import dev.sluice.worker.metrics.SluiceMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A production worker with everything it is connected to. Before it takes work it has seen that its
 * databases have this program's version and that it may write to every lake's storage.
 */
public final class WorkerProcess implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WorkerProcess.class);

  private final OpenResources resources = new OpenResources();

  private final String queue;
  private final SluiceWorker worker;

  private WorkerProcess(Configuration configuration) {
    this.queue = configuration.temporal().queue();
    try {
      configuration
          .unusedVariables()
          .forEach(variable -> log.warn("{} is set and not used yet", variable));
      Connections connections = resources.opened(Connections.of(configuration));
      check(connections);
      new ProvisionedState(connections.home().provisioning(), connections.home().names())
          .write(configuration);
      TemporalConnection temporal =
          resources.opened(TemporalConnection.open(configuration.temporal()));
      Flags flags =
          resources.opened(
              Flags.of(
                  configuration.flagsFile() == null
                      ? FlagSource.none()
                      : FlagSource.file(configuration.flagsFile())));
      this.worker = resources.opened(SluiceWorker.assemble(connections, temporal, flags));
      worker.start();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Starts a worker; what cannot be used is refused by its own error before any work is taken. */
  public static WorkerProcess start(Configuration configuration) {
    return new WorkerProcess(configuration);
  }

  /** The queue it works on. */
  public String queue() {
    return queue;
  }

  /** What it counts. */
  public SluiceMetrics metrics() {
    return worker.metrics();
  }

  private static void check(Connections connections) {
    Migrations.checkVersion(Migrations.Part.HOME, connections.home().database());
    for (String lake : connections.configuration().lakes().keySet()) {
      Migrations.checkVersion(Migrations.Part.LAKE, connections.require(lake).state());
      StorageProbe.checkWritable(connections.require(lake).store());
    }
  }

  /** Stops the worker first, then closes what it used. */
  @Override
  public void close() {
    resources.close();
  }
}
