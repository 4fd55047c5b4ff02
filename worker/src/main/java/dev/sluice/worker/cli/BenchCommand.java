package dev.sluice.worker.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Groups the benchmarks. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "BENCHMARK",
    description = {
      "Measure Sluice beside DuckDB's ducklake extension, on this machine, in one run.",
      "Everything is made for the run, on the loopback address and in the temporary folder."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice bench register --files 24000 --columns 10",
      "  ./sluice bench register --files 24000 --columns 10 --latency 20ms",
      "  ./sluice bench copy --files 400 --rows 200000",
      "  ./sluice bench commit --writers 8",
      "  ./sluice bench write --rows 10000000",
      "  ./sluice bench scan --files 100000",
      "  ./sluice bench catalog --statistics 3000000"
    },
    subcommands = {
      BenchRegisterCommand.class,
      BenchCopyCommand.class,
      BenchCommitCommand.class,
      BenchWriteCommand.class,
      BenchScanCommand.class,
      BenchCatalogCommand.class
    })
public final class BenchCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    spec.commandLine().usage(out);
  }
}
