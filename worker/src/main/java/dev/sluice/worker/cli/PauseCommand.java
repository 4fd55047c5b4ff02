package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.SourcePauses;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.worker.wiring.Connections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Holds a table where it is. */
@Command(
    name = "pause",
    mixinStandardHelpOptions = true,
    description = {
      "Hold a table where it is: its source's gate is closed until it is resumed.",
      "A generation that is being brought in goes on. What is asked for meanwhile is skipped with an"
          + " event; resuming starts the newest of it."
    },
    footer = {
      "",
      "Example:",
      "  ./sluice pause insights_data_imports_team_1.stripe_invoices --reason 'bad import, INC-7'"
    })
final class PauseCommand extends ReadingCommand {

  @Mixin private TableOption table = new TableOption();

  @Option(names = "--reason", paramLabel = "TEXT", description = "What for; shown by why.")
  private @Nullable String reason;

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    try (Connections connections = config.connect()) {
      SourceRef source = table.owner(connections).source();
      SourcePauses.Pause pause = connections.home().pauses().pause(source, reason);
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("schema", table.name().schema());
      tree.put("table", table.name().table());
      tree.put("team", source.team());
      tree.put("source", source.schemaId());
      tree.put("pausedAt", pause.pausedAt().toString());
      tree.put("reason", pause.reason());
      return new Answer(tree, List.of(table.name() + ": " + pause.sentence()));
    }
  }
}
