package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.Pins;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.temporal.LakeAccess;
import dev.sluice.catalog.TableName;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.workflows.naming.ByteText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
        throw CommandErrors.unknownTable(table, connections.home());
      }
      List<Object> trees = new ArrayList<>();
      TextTable text =
          new TextTable(
              "LAKE", "SNAPSHOT", "GENERATION", "ORDER", "STATE", "ROWS", "FILES", "SIZE", "JOB");
      for (TableNames.Assigned owner : owners) {
        LakeAccess lake = connections.require(owner.target().lake());
        for (Line line : lines(lake, table)) {
          trees.add(line.tree(lake.name()));
          text.row(line.cells(lake.name()));
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

  /**
   * One publication.
   *
   * @param publication what was published
   * @param live whether it is what readers see
   * @param readable whether its snapshot is still there: without it there is no way back
   * @param pins names of the pins that hold a snapshot which shows it
   */
  private record Line(Publication publication, boolean live, boolean readable, List<String> pins) {

    Map<String, @Nullable Object> tree(String lake) {
      Map<String, @Nullable Object> tree = JobText.tree(publication);
      tree.put("lake", lake);
      tree.put("live", live);
      tree.put("readable", readable);
      tree.put("pins", pins);
      return tree;
    }

    @Nullable Object[] cells(String lake) {
      return new @Nullable Object[] {
        lake,
        publication.snapshotId(),
        publication.generation(),
        publication.order(),
        state(),
        publication.rows(),
        publication.files(),
        ByteText.of(publication.bytes()),
        publication.sourceJobId()
      };
    }

    private String state() {
      StringBuilder state = new StringBuilder();
      state.append(live ? "live" : readable ? "earlier" : "expired");
      if (publication.restores() != null) {
        state.append(", rollback to ").append(publication.restores());
      }
      if (!pins.isEmpty()) {
        state.append(", pinned by ").append(String.join(" and ", pins));
      }
      return state.toString();
    }
  }

  private static List<Line> lines(LakeAccess lake, TableName table) {
    Target target = new Target(lake.key(), table.schema(), table.table());
    List<Publication> history = lake.state().read(dsl -> Publications.history(dsl, target));
    Set<Long> snapshots =
        lake.catalog().reader().snapshots().stream()
            .map(entry -> entry.snapshot().id())
            .collect(Collectors.toSet());
    List<Pins.Pin> pins = lake.state().read(dsl -> Pins.holding(dsl, lake.key(), Instant.now()));
    List<Line> lines = new ArrayList<>();
    long next = Long.MAX_VALUE;
    for (Publication publication : history) {
      long until = next;
      List<String> holding =
          pins.stream()
              .filter(pin -> pin.snapshotId() >= publication.snapshotId())
              .filter(pin -> pin.snapshotId() < until)
              .map(Pins.Pin::name)
              .toList();
      lines.add(
          new Line(
              publication, lines.isEmpty(), snapshots.contains(publication.snapshotId()), holding));
      next = publication.snapshotId();
    }
    return lines;
  }
}
