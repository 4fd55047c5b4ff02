package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.catalog.TableName;
import dev.sluice.worker.wiring.Connections;
import java.util.List;
import picocli.CommandLine.Option;

/** Whether a table may be written by hand that a source publishes to. */
final class PublishedOption {

  @Option(
      names = "--published",
      description =
          "Write the table even though a source publishes to it; its next generation may undo it.")
  private boolean published;

  /** What a generation brings replaces what was written by hand, so that takes a decision. */
  void requireAllowed(Connections connections, TableName table) {
    if (published) {
      return;
    }
    owners(connections, table).stream()
        .findFirst()
        .ifPresent(
            owner -> {
              throw CommandErrors.publishedTable(table, owner.source().schemaId());
            });
  }

  private static List<TableNames.Assigned> owners(Connections connections, TableName table) {
    try {
      return connections.home().names().owners(table.schema(), table.table());
    } catch (StateException e) {
      if (e.kind() == StateException.Kind.NOT_MIGRATED) {
        return List.of(); // no home yet: nothing was ever published
      }
      throw e;
    }
  }
}
