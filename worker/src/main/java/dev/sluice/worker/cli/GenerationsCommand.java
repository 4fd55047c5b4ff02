package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.temporal.LakeAccess;
import dev.sluice.catalog.TableName;
import dev.sluice.worker.wiring.Connections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists what was the content of a table, and when. */
@Command(
    name = "generations",
    mixinStandardHelpOptions = true,
    description = {
      "List the generations that were published to a table, the live one first.",
      "Each is still there at its snapshot until that expires: ./sluice scan SCHEMA TABLE at SNAPSHOT"
    },
    footer = {
      "",
      "Example:",
      "  ./sluice generations insights_data_imports_team_1.stripe_invoices"
    })
final class GenerationsCommand extends ReadingCommand {

  @Parameters(arity = "1..2", paramLabel = "TABLE", description = "SCHEMA.TABLE, or SCHEMA TABLE.")
  private List<String> words = new ArrayList<>();

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    TableName table = TableArguments.first(words);
    try (Connections connections = config.connect()) {
      List<TableNames.Assigned> owners =
          connections.home().names().owners(table.schema(), table.table());
      if (owners.isEmpty()) {
        throw CommandErrors.unknownTable(table);
      }
      List<Object> trees = new ArrayList<>();
      TextTable text =
          new TextTable("LAKE", "SNAPSHOT", "GENERATION", "STATE", "ROWS", "FILES", "SIZE", "JOB");
      for (TableNames.Assigned owner : owners) {
        String lakeName = owner.target().lake();
        boolean live = true;
        for (Publication publication : history(connections.require(lakeName), table)) {
          Map<String, @Nullable Object> tree = JobText.tree(publication);
          tree.put("lake", lakeName);
          tree.put("live", live);
          trees.add(tree);
          text.row(
              lakeName,
              publication.snapshotId(),
              publication.generation(),
              live ? "live" : "earlier",
              publication.rows(),
              publication.files(),
              ByteText.of(publication.bytes()),
              publication.sourceJobId());
          live = false;
        }
      }
      Map<String, @Nullable Object> whole = new LinkedHashMap<>();
      whole.put("schema", table.schema());
      whole.put("table", table.table());
      whole.put("generations", trees);
      return new Answer(
          whole, text.isEmpty() ? List.of("Nothing was published yet.") : text.lines());
    }
  }

  private static List<Publication> history(LakeAccess lake, TableName table) {
    Target target = new Target(lake.key(), table.schema(), table.table());
    return lake.state().read(dsl -> Publications.history(dsl, target));
  }
}
