package dev.sluice.worker.demo;

import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.storage.TemporaryFolder;
import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.worker.wiring.Migrator;
import dev.sluice.worker.wiring.OpenResources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The embedded stack with its configuration written, its databases migrated, and an importer on its
 * upstream bucket: what there is before anybody runs a worker.
 *
 * @param stack the services
 * @param folder where configuration and flags lie
 * @param configurationFile leads every command to this stack
 * @param connections to its databases and stores
 * @param importer lays prepared folders down
 * @param modeler lays the tables of models down
 */
record ConnectedStack(
    EmbeddedStack stack,
    Path folder,
    Path configurationFile,
    Connections connections,
    DemoImporter importer,
    DemoModeler modeler) {

  /**
   * Starts it; whatever it opens is the resources' to close, also when it fails.
   *
   * @param sources what the upstream team may import
   * @param kept folder that outlives the stack; null for temporary ones
   */
  static ConnectedStack open(
      OpenResources resources,
      StackPorts ports,
      List<PreparedSource> sources,
      @Nullable Path kept) {
    Path folder = kept == null ? resources.opened(TemporaryFolder.create()).path() : kept;
    EmbeddedStack stack = resources.opened(EmbeddedStack.start(ports, kept));
    Path configurationFile = StackConfiguration.write(stack, sources, folder);
    Connections connections =
        resources.opened(Connections.of(Configuration.read(configurationFile, Map.of())));
    new Migrator(connections).migrate();
    String lake = connections.configuration().lakes().keySet().iterator().next();
    String bucket = "s3://" + stack.sourceBucket() + "/";
    DemoImporter importer =
        new DemoImporter(connections.store(lake, StorageLocation.parse(bucket)));
    return new ConnectedStack(
        stack, folder, configurationFile, connections, importer, new DemoModeler(importer, bucket));
  }
}
