package dev.sluice.worker.cli;

import dev.sluice.activities.query.ScanRows;
import dev.sluice.worker.wiring.Connections;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints rows of a table at a snapshot. */
@Command(
    name = "scan",
    mixinStandardHelpOptions = true,
    description = "Print rows of a table, as they are now or were at a snapshot.",
    footer = {
      "",
      "Examples:",
      "  ./sluice scan SCHEMA TABLE limit 10",
      "  ./sluice scan SCHEMA TABLE at 3 columns id,amount where \"amount > 100 and paid is null\"",
      "  ./sluice scan SCHEMA.TABLE --at 2026-07-01T12:00:00Z --json",
      "  ./sluice scan SCHEMA TABLE columns rowid,snapshot_id,id",
      "  ./sluice scan SCHEMA.TABLE --count",
      "  ./sluice scan SCHEMA.TABLE --output csv",
      "  ./sluice scan SCHEMA.TABLE where \"id < 100\" --output parquet --to part.parquet"
    })
final class ScanCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "WORD",
      description =
          "SCHEMA TABLE (or SCHEMA.TABLE), then in any order: at SNAPSHOT, where CONDITION, columns"
              + " A,B, limit N.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--at",
      paramLabel = "SNAPSHOT",
      description =
          "A snapshot's number, or a time such as 2026-07-01T12:00:00Z (UTC without an offset).")
  private @Nullable String at;

  @Option(
      names = "--where",
      paramLabel = "CONDITION",
      description = "Which rows: comparisons, between, in, is null, and, or, not.")
  private @Nullable String where;

  @Option(
      names = "--columns",
      paramLabel = "A,B",
      description =
          "Which columns, in this order; rowid and snapshot_id tell where rows come from.")
  private @Nullable String columns;

  @Option(names = "--limit", paramLabel = "N", description = "Print at most so many rows.")
  private @Nullable String limit;

  @Option(names = "--count", description = "Print the number of rows instead of the rows.")
  private boolean count;

  @Mixin private LakeOption lake = new LakeOption();

  @Mixin private ConfigOption config = new ConfigOption();

  @Mixin private OutputOptions output = new OutputOptions();

  @Mixin private RowOptions rows = new RowOptions();

  @Mixin private FileOption to = new FileOption();

  @Override
  public Integer call() {
    ScanOptions options = ScanOptions.of(words, at, where, columns, limit);
    PrintWriter out = spec.commandLine().getOut();
    try (Connections connections = config.connect()) {
      String name = lake.name(connections);
      ScanRun run = ScanRun.of(connections, name, options);
      RowOutput form = rows.output(output);
      if (count) {
        count(run, out);
      } else if (form == RowOutput.PARQUET) {
        Path file = to.required();
        out.println(file + ": " + run.export(connections.parquetExport(name), file) + " rows");
      } else {
        try (ScanRows found = run.rows()) {
          to.print(form.format(), run.head(), found, out);
        }
      }
      out.flush();
      return ExitCode.DONE.code();
    }
  }

  private void count(ScanRun run, PrintWriter out) {
    if (output.json()) {
      Map<String, Object> tree = run.head();
      tree.put("count", run.count());
      out.println(JsonText.of(tree));
    } else {
      out.println(run.count());
    }
  }
}
