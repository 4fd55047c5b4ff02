package dev.sluice.worker.cli;

import dev.sluice.activities.query.ScanRows;
import dev.sluice.catalog.Snapshot;
import dev.sluice.worker.wiring.Connections;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Answers a SELECT over the tables of a lake. */
@Command(
    name = "sql",
    mixinStandardHelpOptions = true,
    description = {
      "Answer one SELECT, in DuckDB's dialect, over tables and views of a lake.",
      "Names are SCHEMA.TABLE, or TABLE in schema main. Nothing but the lake can be read."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice sql \"SELECT region, sum(amount) FROM sales.orders GROUP BY ALL ORDER BY 2"
          + " DESC\"",
      "  ./sluice sql \"SELECT count(*) FROM sales.orders\" --at 2026-07-01 --output csv"
    })
final class SqlCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(arity = "1", paramLabel = "SELECT", description = "The query, in one word.")
  private String query = "";

  @Option(
      names = "--at",
      paramLabel = "SNAPSHOT",
      description =
          "A snapshot's number, or a time such as 2026-07-01T12:00:00Z, for all tables of the"
              + " query.")
  private @Nullable String at;

  @Mixin private LakeOption lake = new LakeOption();

  @Mixin private ConfigOption config = new ConfigOption();

  @Mixin private OutputOptions output = new OutputOptions();

  @Mixin private RowOptions rows = new RowOptions();

  @Mixin private FileOption to = new FileOption();

  @Override
  public Integer call() {
    RowFormat format = rows.printed(output).format();
    try (Connections connections = config.connect()) {
      String name = lake.name(connections);
      Snapshot snapshot =
          SnapshotArgument.resolve(connections.require(name).catalog().reader(), at);
      Map<String, Object> head = new LinkedHashMap<>();
      head.put("lake", name);
      head.put("snapshot", snapshot.id());
      PrintWriter out = spec.commandLine().getOut();
      try (ScanRows found = connections.sql(name).query(query, snapshot)) {
        to.print(format, head, found, out);
      }
      out.flush();
      return ExitCode.DONE.code();
    }
  }
}
