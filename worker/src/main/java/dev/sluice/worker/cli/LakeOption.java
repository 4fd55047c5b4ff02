package dev.sluice.worker.cli;

import dev.sluice.worker.wiring.Connections;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The lake that a command looks into. */
final class LakeOption {

  @Option(
      names = "--lake",
      paramLabel = "NAME",
      description = "The lake, by its name in the configuration (default: the first).")
  private @Nullable String lake;

  /** Its name in the configuration; refused when it is used and there is none of that name. */
  String name(Connections connections) {
    return connections.lakeOrFirst(lake);
  }
}
