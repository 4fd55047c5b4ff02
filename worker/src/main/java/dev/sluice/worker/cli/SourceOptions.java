package dev.sluice.worker.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every command takes that starts the workflow of one configured source. */
final class SourceOptions {

  @Option(
      names = "--source",
      required = true,
      paramLabel = "NAME",
      description = "The source, by its name in the configuration.")
  private String source = "";

  @Option(
      names = "--job",
      paramLabel = "ID",
      defaultValue = "by-hand",
      description = "The import job it came from (default: ${DEFAULT-VALUE}).")
  private String job = "";

  @Option(
      names = "--options",
      paramLabel = "NAME",
      description = "A set of options of the configuration, instead of the source's own.")
  private @Nullable String options;

  /** The source's name in the configuration. */
  String source() {
    return source;
  }

  String job() {
    return job;
  }

  /** The set of options; null for the source's own. */
  @Nullable String options() {
    return options;
  }
}
