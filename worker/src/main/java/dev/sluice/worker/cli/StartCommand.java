package dev.sluice.worker.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Starts workflows by hand. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WORKFLOW",
    description = "Start a workflow by hand; a worker has to run: ./sluice worker or ./sluice dev.",
    subcommands = {
      StartRegisterCommand.class,
      StartCopyImportCommand.class,
      StartCopyModelCommand.class,
      StartPublishSetCommand.class
    })
final class StartCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "start: which workflow? There are: register, copy-import, copy-model," + " publish-set");
  }
}
