package dev.sluice.worker.cli;

import dev.sluice.activities.query.ChangeRequest;
import dev.sluice.activities.query.ScanRows;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.worker.wiring.Connections;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what changed in a table between two snapshots. */
@Command(
    name = "changes",
    mixinStandardHelpOptions = true,
    description = {
      "Print the changes of a table between two snapshots, both included: rows that were inserted"
          + " or deleted, and updated rows before and after.",
      "Merging or rewriting files changes no row."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice changes SCHEMA TABLE --from 3 --to 7",
      "  ./sluice changes SCHEMA.TABLE --from '2026-07-01 12:00:00' --output csv"
    })
final class ChangesCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(arity = "1..2", paramLabel = "TABLE", description = "SCHEMA.TABLE, or SCHEMA TABLE.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--from",
      required = true,
      paramLabel = "SNAPSHOT",
      description =
          "The first snapshot whose changes are wanted; of a time, the first one since then.")
  private String from = "";

  @Option(
      names = "--to",
      paramLabel = "SNAPSHOT",
      description = "The last one (default: the newest); of a time, the last one until then.")
  private @Nullable String to;

  @Option(names = "--columns", paramLabel = "A,B", description = "Which columns, in this order.")
  private @Nullable String columns;

  @Option(names = "--limit", paramLabel = "N", description = "Print at most so many changes.")
  private @Nullable String limit;

  @Mixin private LakeOption lake = new LakeOption();

  @Mixin private ConfigOption config = new ConfigOption();

  @Mixin private OutputOptions output = new OutputOptions();

  @Mixin private RowOptions rows = new RowOptions();

  @Override
  public Integer call() {
    RowFormat format = rows.printed(output).format();
    try (Connections connections = config.connect()) {
      String name = lake.name(connections);
      CatalogReader reader = connections.require(name).catalog().reader();
      Snapshot first = SnapshotArgument.since(reader, from);
      Snapshot last = SnapshotArgument.resolve(reader, to);
      ChangeRequest request =
          new ChangeRequest(
              TableArguments.first(words),
              first,
              last,
              ScanOptions.split(columns),
              limit == null
                  ? OptionalLong.empty()
                  : OptionalLong.of(NumberArgument.parse("limit", limit)));
      Map<String, Object> head = new LinkedHashMap<>();
      head.put("table", request.table().toString());
      head.put("from", first.id());
      head.put("to", last.id());
      PrintWriter out = spec.commandLine().getOut();
      try (ScanRows changes = connections.changeFeed(name).changes(request)) {
        format.print(head, changes, out);
      }
      out.flush();
      return ExitCode.DONE.code();
    }
  }
}
