package dev.sluice.worker.cli;

import dev.sluice.worker.demo.Demo;
import dev.sluice.worker.demo.DemoReport;
import dev.sluice.worker.demo.PublishedTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what Sluice does, on a stack of its own. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Start PostgreSQL, an S3 endpoint and Temporal in this process, let one upstream import"
          + " finish, register or copy every table it brought, and print what is in the lake.",
      "Exit code 0 means that every table was verified and published."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice demo                      a small sample import",
      "  ./sluice demo --json               the same as one JSON document",
      "  ./sluice demo --source DIR         prepared folders of your own:",
      "      DIR/team_<team>_<type>_<source schema id>/<table>__query_<epoch>_<8 hex>/*.parquet",
      "    and Delta tables, of a team without prepared folders or else for one made for them:",
      "      DIR/team_<team>_<type>_<source schema id>/<table>/_delta_log/...",
      "  ./sluice demo --keep DIR           keep the lake; ./sluice dev --keep DIR serves it again"
    })
final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output = new OutputOptions();

  @Mixin private StackOptions stackOptions = new StackOptions();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Demo demo = stackOptions.start(err)) {
      DemoReport report = demo.run();
      if (output.json()) {
        out.println(JsonText.of(tree(report)));
      } else {
        lines(report).forEach(out::println);
      }
      out.flush();
      if (output.verbose()) {
        demo.stack().metrics().print(System.err);
      }
      return (report.allPublished() ? ExitCode.DONE : ExitCode.FAILED).code();
    }
  }

  private static Map<String, Object> tree(DemoReport report) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("tables", report.tables().stream().map(DemoCommand::tree).toList());
    tree.put("attach", report.attach());
    return tree;
  }

  private static Map<String, @Nullable Object> tree(PublishedTable table) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("schema", table.schema());
    tree.put("table", table.table());
    tree.put("path", table.path());
    tree.put("status", table.status());
    tree.put("rows", table.rows());
    tree.put("files", table.files());
    tree.put("bytes", table.bytes());
    tree.put("snapshot", table.snapshot());
    tree.put("generation", table.generation());
    if (table.reason() != null) {
      tree.put("reason", table.reason());
    }
    if (!table.earlier().isEmpty()) {
      tree.put("earlier", table.earlier().stream().map(DemoCommand::tree).toList());
    }
    return tree;
  }

  private List<String> lines(DemoReport report) {
    List<String> lines = new ArrayList<>(ReportText.tables(report));
    lines.add("");
    lines.addAll(ReportText.attach(report));
    lines.add("");
    Path keep = stackOptions.keep();
    lines.add(
        keep == null
            ? "This stack ends now. ./sluice dev starts one that stays, with the same tables."
            : "This stack ends now. ./sluice dev --keep " + keep + " serves its lake again.");
    return lines;
  }
}
