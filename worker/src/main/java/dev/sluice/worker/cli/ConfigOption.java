package dev.sluice.worker.cli;

import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.wiring.Connections;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command's configuration comes from. */
final class ConfigOption {

  private static final Path USUAL = Path.of("sluice.yaml");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration (default: sluice.yaml in the working directory, else the environment"
              + " variables alone). The stack of sluice dev says which is its own.")
  private @Nullable Path file;

  Configuration read() {
    if (file != null) {
      return Configuration.read(file, System.getenv());
    }
    return Files.isRegularFile(USUAL)
        ? Configuration.read(USUAL, System.getenv())
        : Configuration.ofEnvironment(System.getenv());
  }

  /** How another command is told to use the same. */
  List<String> arguments() {
    return file == null ? List.of() : List.of("--config", file.toString());
  }

  Connections connect() {
    return Connections.of(read());
  }
}
