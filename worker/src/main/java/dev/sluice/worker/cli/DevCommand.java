package dev.sluice.worker.cli;

import dev.sluice.worker.demo.BareStack;
import dev.sluice.worker.demo.Demo;
import dev.sluice.worker.demo.DemoReport;
import dev.sluice.worker.demo.RunningStack;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Keeps the demo's stack running. */
@Command(
    name = "dev",
    mixinStandardHelpOptions = true,
    description = {
      "Start the demo's stack with its import and keep it running until Ctrl-C.",
      "Prints how to attach DuckDB, and the configuration file for other commands."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice dev",
      "  ./sluice dev --source DIR --keep DIR      prepared folders of your own, a lake that stays",
      "  ./sluice dev --no-worker --further 10     the stack alone, for workers that you start",
      "  ./sluice jobs --config FILE               in another terminal, with the printed FILE"
    })
final class DevCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output = new OutputOptions();

  @Mixin private StackOptions stackOptions = new StackOptions();

  @Option(
      names = "--no-worker",
      description = "Import nothing and run no worker: lay the prepared folders down, and wait.")
  private boolean withoutWorker;

  @Option(
      names = "--further",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "With --no-worker: lay down so many newer generations of every source, made of those it"
              + " has (default: ${DEFAULT-VALUE}).")
  private int further;

  @Override
  public Integer call() throws InterruptedException {
    return withoutWorker ? bare() : whole();
  }

  private Integer bare() throws InterruptedException {
    if (further < 0) {
      throw CommandErrors.badNumber("further", Integer.toString(further));
    }
    PrintWriter out = spec.commandLine().getOut();
    try (StopSignal stop = new StopSignal();
        BareStack stack = stackOptions.startBare(further, spec.commandLine().getErr())) {
      String config = " --config " + stack.configurationFile();
      out.println("Running without a worker until Ctrl-C. In other terminals:");
      out.println("  ./sluice worker" + config);
      for (BareStack.Waiting each : stack.waiting()) {
        out.println(
            "  ./sluice start register --source %s --folder %s%s"
                .formatted(each.source(), each.folder(), config));
      }
      out.println();
      stack.attach().forEach(out::println);
      out.println();
      out.println("Ready.");
      out.flush();
      stop.await();
    }
    return ExitCode.DONE.code();
  }

  private Integer whole() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (StopSignal stop = new StopSignal();
        Demo demo = stackOptions.start(err)) {
      DemoReport report = demo.run();
      ReportText.tables(report).forEach(out::println);
      RunningStack stack = demo.stack();
      out.println();
      out.println("Running until Ctrl-C:");
      out.println("  catalog    " + stack.lakeAddress());
      out.println("  objects    " + stack.s3Address());
      out.println("  Temporal   " + stack.temporalAddress());
      out.println("  other commands:  ./sluice jobs --config " + stack.configurationFile());
      out.println();
      ReportText.attach(report).forEach(out::println);
      out.flush();
      if (output.verbose()) {
        stack.metrics().print(System.err);
      }
      stop.await();
    }
    return ExitCode.DONE.code();
  }
}
