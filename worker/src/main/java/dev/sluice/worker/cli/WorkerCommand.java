package dev.sluice.worker.cli;

import dev.sluice.worker.wiring.WorkerProcess;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a worker until it is told to stop. */
@Command(
    name = "worker",
    mixinStandardHelpOptions = true,
    description = {
      "Run a worker until it is told to stop (Ctrl-C or SIGTERM); what runs then may finish.",
      "The databases must have been migrated: ./sluice migrate"
    },
    footer = {"", "Example:", "  ./sluice worker --config sluice.yaml"})
final class WorkerCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ConfigOption config = new ConfigOption();

  @Mixin private OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws InterruptedException {
    try (StopSignal stop = new StopSignal();
        WorkerProcess process = WorkerProcess.start(config.read())) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("sluice: working on queue " + process.queue() + " until told to stop");
      err.flush();
      stop.await();
      if (output.verbose()) {
        process.metrics().print(System.err);
      }
    }
    return ExitCode.DONE.code();
  }
}
