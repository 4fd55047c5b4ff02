package dev.sluice.worker.cli;

import dev.sluice.worker.wiring.Connections;
import dev.sluice.worker.wiring.Migrator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Brings the databases to this program's version. */
@Command(
    name = "migrate",
    mixinStandardHelpOptions = true,
    description = {
      "Make or upgrade Sluice's tables in the home database and beside every lake; a lake that is"
          + " missing is made. Harmless to repeat.",
      "Needs direct connections to the databases, not a pooler's."
    },
    footer = {"", "Example:", "  ./sluice migrate --config sluice.yaml"})
final class MigrateCommand extends ReadingCommand {

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    try (Connections connections = config.connect()) {
      List<String> done = new Migrator(connections).migrate();
      return new Answer(Map.of("migrated", done), done);
    }
  }
}
