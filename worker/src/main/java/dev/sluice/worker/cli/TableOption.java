package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.TableNames;
import dev.sluice.catalog.TableName;
import dev.sluice.worker.wiring.Connections;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The one published table that a command is about. */
final class TableOption {

  @Parameters(arity = "1..2", paramLabel = "TABLE", description = "SCHEMA.TABLE, or SCHEMA TABLE.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--lake",
      paramLabel = "NAME",
      description = "The lake, where tables of several lakes have that name.")
  private @Nullable String lake;

  TableName name() {
    return TableArguments.first(words);
  }

  /** The source that publishes to it, and its lake by the configured name. */
  TableNames.Assigned owner(Connections connections) {
    TableName name = name();
    List<TableNames.Assigned> owners =
        connections.home().names().owners(name.schema(), name.table()).stream()
            .filter(owner -> lake == null || owner.target().lake().equals(lake))
            .toList();
    if (owners.isEmpty()) {
      throw CommandErrors.unknownTable(name, connections.home());
    }
    if (owners.size() > 1) {
      throw CommandErrors.severalLakes(
          name, owners.stream().map(owner -> owner.target().lake()).toList());
    }
    return owners.get(0);
  }
}
