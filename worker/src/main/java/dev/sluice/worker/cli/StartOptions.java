package dev.sluice.worker.cli;

import dev.sluice.worker.config.Configuration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every command takes that starts a workflow. */
final class StartOptions {

  @Option(names = "--wait", description = "Follow it to its end, with progress.")
  private boolean wait;

  @Mixin private ConfigOption config = new ConfigOption();

  /** Whether the workflow is followed to its end. */
  boolean follows() {
    return wait;
  }

  Configuration configuration() {
    return config.read();
  }
}
