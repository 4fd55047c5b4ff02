package dev.sluice.worker.cli;

import dev.sluice.worker.wiring.Connections;
import picocli.CommandLine.Mixin;

/** A command that reads one lake; Temporal is not asked for anything. */
abstract class LakeReadingCommand extends ReadingCommand {

  @Mixin private LakeOption lake = new LakeOption();

  @Mixin private ConfigOption config = new ConfigOption();

  /**
   * Reads.
   *
   * @param lake its name in the configuration
   */
  abstract Answer answer(Connections connections, String lake);

  @Override
  final Answer answer() {
    try (Connections connections = config.connect()) {
      return answer(connections, lake.name(connections));
    }
  }
}
