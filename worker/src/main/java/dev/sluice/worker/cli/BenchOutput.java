package dev.sluice.worker.cli;

import dev.sluice.worker.bench.BenchReport;
import java.io.PrintWriter;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How a benchmark says what it does and found: steps to standard error, the report to output. */
final class BenchOutput {

  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--json",
      description = "Print one JSON document on standard output, and nothing else there.")
  private boolean json;

  Consumer<String> progress() {
    PrintWriter err = command.commandLine().getErr();
    return step -> {
      err.println("bench: " + step);
      err.flush();
    };
  }

  void print(BenchReport report) {
    PrintWriter out = command.commandLine().getOut();
    if (json) {
      out.println(JsonText.of(report.tree()));
    } else {
      report.lines().forEach(out::println);
    }
    out.flush();
  }
}
