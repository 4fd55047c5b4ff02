package dev.sluice.worker.cli;

import dev.sluice.worker.bench.WriteBench;
import dev.sluice.worker.bench.WriteBenchPlan;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures inserts. */
@Command(
    name = "write",
    mixinStandardHelpOptions = true,
    description = {
      "Insert rows of 8 columns from a Parquet file into a lake of ours, beside DuckDB's INSERT of",
      "the same rows into a lake of its own, in turns."
    })
final class BenchWriteCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--rows",
      defaultValue = "10000000",
      description = "Rows of each insert (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description =
          "How often each side inserts them; the median counts (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Mixin private BenchOutput output = new BenchOutput();

  @Override
  public Integer call() {
    output.print(new WriteBench(plan(), output.progress()).run());
    return 0;
  }

  private WriteBenchPlan plan() {
    try {
      return new WriteBenchPlan(rows, rounds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
