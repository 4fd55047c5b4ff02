package dev.sluice.worker.cli;

import dev.sluice.worker.bench.CatalogBench;
import dev.sluice.worker.bench.CatalogBenchPlan;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures what a catalog that holds much costs. */
@Command(
    name = "catalog",
    mixinStandardHelpOptions = true,
    description = {
      "Commit to a table of one file and plan a filtered scan of it, in an empty catalog and in one",
      "that is full of another table's statistics; list many tables and describe one."
    })
final class BenchCatalogCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--statistics",
      defaultValue = "3000000",
      description = "Rows of another table's statistics (default: ${DEFAULT-VALUE}).")
  private int statistics;

  @Option(
      names = "--tables",
      defaultValue = "5000",
      description = "Tables to list (default: ${DEFAULT-VALUE}).")
  private int tables;

  @Option(
      names = "--turns",
      defaultValue = "21",
      description = "How often each is done; the median counts (default: ${DEFAULT-VALUE}).")
  private int turns;

  @Mixin private BenchOutput output = new BenchOutput();

  @Override
  public Integer call() {
    output.print(new CatalogBench(plan(), output.progress()).run());
    return 0;
  }

  private CatalogBenchPlan plan() {
    try {
      return new CatalogBenchPlan(statistics, tables, turns);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
