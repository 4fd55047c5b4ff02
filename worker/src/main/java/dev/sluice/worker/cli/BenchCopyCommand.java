package dev.sluice.worker.cli;

import dev.sluice.worker.bench.CopyBench;
import dev.sluice.worker.bench.RegisterPlan;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the copy path. */
@Command(
    name = "copy",
    mixinStandardHelpOptions = true,
    description = {
      "Copy a Delta table: our way from the log to the live table against a bare copy of its objects,",
      "and against DuckDB's CREATE TABLE AS FROM delta_scan into a lake of its own."
    })
final class BenchCopyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--files",
      defaultValue = "400",
      description = "Data files of the table (default: ${DEFAULT-VALUE}).")
  private int files;

  @Option(
      names = "--columns",
      defaultValue = "10",
      description = "Columns of each file (default: ${DEFAULT-VALUE}).")
  private int columns;

  @Option(
      names = "--rows",
      defaultValue = "200000",
      description = "Rows of each file (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      converter = BenchRegisterCommand.Latency.class,
      description = "Use an S3 endpoint that delays every request, e.g. 20ms; default: local disk.")
  private @Nullable Duration latency;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description =
          "Rounds of two copies and two bare copies, each once before and once after the other; the"
              + " median counts (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Mixin private BenchOutput output = new BenchOutput();

  @Override
  public Integer call() throws InterruptedException {
    output.print(bench().run());
    return 0;
  }

  private CopyBench bench() {
    try {
      return new CopyBench(
          new RegisterPlan(
              files, columns, rows, latency == null ? Duration.ZERO : latency, Math.max(1, files)),
          rounds,
          output.progress());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
