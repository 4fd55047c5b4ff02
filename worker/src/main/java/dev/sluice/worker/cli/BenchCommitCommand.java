package dev.sluice.worker.cli;

import dev.sluice.worker.bench.CommitBench;
import dev.sluice.worker.bench.CommitPlan;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures commits. */
@Command(
    name = "commit",
    mixinStandardHelpOptions = true,
    description = {
      "Commit with several writers at once: appends on different tables against the extension's",
      "inserts, publications against its CREATE OR REPLACE, and all writers publishing one table."
    })
final class BenchCommitCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--writers",
      defaultValue = "8",
      description = "Writers at a time (default: ${DEFAULT-VALUE}).")
  private int writers;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      description = "How long each measurement lasts (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Mixin private BenchOutput output = new BenchOutput();

  @Override
  public Integer call() throws InterruptedException {
    output.print(new CommitBench(plan(), output.progress()).run());
    return 0;
  }

  private CommitPlan plan() {
    try {
      return new CommitPlan(writers, Duration.ofSeconds(seconds));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
