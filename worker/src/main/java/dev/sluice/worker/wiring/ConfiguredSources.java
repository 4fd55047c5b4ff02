package dev.sluice.worker.wiring;

import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.parquet.MatchOptions;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.activities.temporal.Sources;
import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.config.LakeSettings;
import dev.sluice.worker.config.SourceOptions;
import dev.sluice.worker.config.SourceSettings;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.PreparedFolder;
import dev.sluice.workflows.naming.SourceFolder;
import java.util.Optional;

/** The sources of a configuration. Thread-safe. */
final class ConfiguredSources implements Sources {

  private final Connections connections;

  ConfiguredSources(Connections connections) {
    this.connections = connections;
  }

  @Override
  public ObjectStore preparedFolder(RegisterTrigger trigger, PreparedFolder folder) {
    return below(trigger, folder.name());
  }

  @Override
  public ObjectStore deltaTable(RegisterTrigger trigger) {
    return switch (trigger.path()) {
      case REGISTER, COPY -> below(trigger, trigger.table());
      case MODEL -> model(trigger);
    };
  }

  /**
   * A trigger names where a model is; it may lead to object stores, not into the worker's files.
   */
  private ObjectStore model(RegisterTrigger trigger) {
    Configuration configuration = connections.configuration();
    LakeSettings lake = connections.configured(configuration.team(trigger.team()).lake());
    StorageLocation location = StorageLocation.parse(trigger.preparedFolder());
    if (location instanceof StorageLocation.Local
        && lake.storage().dataPath() instanceof StorageLocation.S3) {
      throw WiringErrors.modelInLocalFiles(trigger.team(), trigger.preparedFolder());
    }
    return connections.store(lake.name(), location);
  }

  private ObjectStore below(RegisterTrigger trigger, String folder) {
    Configuration configuration = connections.configuration();
    LakeSettings lake = connections.configured(configuration.team(trigger.team()).lake());
    StorageLocation source =
        configuration
            .findSource(new SourceRef(trigger.team(), trigger.sourceSchemaId()))
            .flatMap(settings -> folderOf(settings))
            .orElseGet(() -> upstreamLayout(lake, trigger));
    return connections.store(lake.name(), source.resolve(folder));
  }

  @Override
  public Options options(RegisterTrigger trigger) {
    SourceOptions options = connections.configuration().optionsOf(trigger);
    return new Options(
        new MatchOptions(
            options.missingColumns(),
            options.extraColumns(),
            MatchOptions.PartitionValues.WHEN_KNOWN),
        options.schemaPolicy(),
        options.foreignContent(),
        options.deletedRows());
  }

  private static Optional<StorageLocation> folderOf(SourceSettings settings) {
    return Optional.ofNullable(settings.folder()).map(StorageLocation::parse);
  }

  /** Where nothing is said, the upstream writes to the bucket of the lake. */
  private static StorageLocation upstreamLayout(LakeSettings lake, RegisterTrigger trigger) {
    String path = SourceFolder.path(trigger.team(), trigger.sourceType(), trigger.sourceSchemaId());
    return switch (lake.storage().dataPath()) {
      case StorageLocation.S3 s3 ->
          StorageLocation.parse(StorageLocation.S3_SCHEME + s3.bucket() + "/" + path);
      case StorageLocation.Local local ->
          throw WiringErrors.noSourceFolder(trigger.team(), trigger.sourceSchemaId());
    };
  }
}
