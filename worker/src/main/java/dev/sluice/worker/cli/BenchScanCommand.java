package dev.sluice.worker.cli;

import dev.sluice.worker.bench.ScanBench;
import dev.sluice.worker.bench.ScanBenchPlan;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures planning. */
@Command(
    name = "scan",
    mixinStandardHelpOptions = true,
    description = {
      "Plan a query for one value over a table of many files: which of them have to be read.",
      "Ours beside the extension's whole query on the same catalog; only the file that holds the",
      "value exists."
    })
final class BenchScanCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--files",
      defaultValue = "100000",
      description = "Data files of the table (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(
      names = "--columns",
      defaultValue = "8",
      description = "Columns of the table (default: ${DEFAULT-VALUE}).")
  private int columns;

  @Option(
      names = "--turns",
      defaultValue = "21",
      description = "How often each side plans; the median counts (default: ${DEFAULT-VALUE}).")
  private int turns;

  @Mixin private BenchOutput output = new BenchOutput();

  @Override
  public Integer call() {
    output.print(new ScanBench(plan(), output.progress()).run());
    return 0;
  }

  private ScanBenchPlan plan() {
    try {
      return new ScanBenchPlan(files, columns, turns);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
