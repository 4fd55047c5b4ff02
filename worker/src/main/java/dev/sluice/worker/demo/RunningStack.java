package dev.sluice.worker.demo;

import dev.sluice.worker.gate.FlagSource;
import dev.sluice.worker.gate.Flags;
import dev.sluice.worker.metrics.SluiceMetrics;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.worker.wiring.OpenResources;
import dev.sluice.worker.wiring.SluiceWorker;
import dev.sluice.worker.wiring.TemporalConnection;
import dev.sluice.workflows.Workflows;
import io.temporal.client.WorkflowClient;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The embedded stack with a worker of ours on it, and with the importer of the demo's upstream
 * team. Thread-safe.
 */
public final class RunningStack implements AutoCloseable {

  private final OpenResources resources = new OpenResources();
  private final ConnectedStack base;
  private final TemporalConnection temporal;
  private final SluiceWorker worker;

  private RunningStack(StackPorts ports, List<PreparedSource> sources, @Nullable Path kept) {
    try {
      this.base = ConnectedStack.open(resources, ports, sources, kept);
      Connections connections = base.connections();
      this.temporal =
          resources.opened(TemporalConnection.open(connections.configuration().temporal()));
      Flags flags =
          resources.opened(Flags.of(FlagSource.file(base.folder().resolve("flags.yaml"))));
      this.worker = resources.opened(SluiceWorker.assemble(connections, temporal, flags));
      worker.workflows(Workflows.sampleUpstream());
      worker.activities(base.importer());
      worker.activities(base.modeler());
      worker.start();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts everything on the given ports.
   *
   * @param sources what the upstream team may import
   * @param kept folder that outlives the stack; null for temporary ones
   */
  static RunningStack start(StackPorts ports, List<PreparedSource> sources, @Nullable Path kept) {
    return new RunningStack(ports, sources, kept);
  }

  /** The configuration file that leads other commands to this stack. */
  public Path configurationFile() {
    return base.configurationFile();
  }

  /** Connections to its databases and stores. */
  public Connections connections() {
    return base.connections();
  }

  /** What its worker counts. */
  public SluiceMetrics metrics() {
    return worker.metrics();
  }

  /** A client of its Temporal service. */
  WorkflowClient client() {
    return temporal.client();
  }

  /** The queue of its worker. */
  String queue() {
    return temporal.settings().queue();
  }

  DemoImporter importer() {
    return base.importer();
  }

  DemoModeler modeler() {
    return base.modeler();
  }

  /** Statements that attach its lake in DuckDB. */
  public List<String> attach() {
    return AttachText.statements(base.stack());
  }

  /** Where its Temporal service listens. */
  public String temporalAddress() {
    return base.stack().temporal().target();
  }

  /** Where its PostgreSQL server listens, with the lake's database. */
  public String lakeAddress() {
    return base.stack().lakeDatabase().libpq();
  }

  /** Where its S3 endpoint listens. */
  public String s3Address() {
    return base.stack().s3().endpoint().toString();
  }

  /** Stops the worker first and the databases last. */
  @Override
  public void close() {
    resources.close();
  }
}
