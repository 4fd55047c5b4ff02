package dev.sluice.worker.cli;

import dev.sluice.worker.config.Configuration;
import dev.sluice.workflows.RegisterTrigger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Registers one prepared folder of a configured source. */
@Command(
    name = "register",
    mixinStandardHelpOptions = true,
    description = {
      "Register a prepared folder of a configured source.",
      "While another generation of the source is being registered, this one waits for its turn."
    },
    footer = {
      "",
      "Example:",
      "  ./sluice start register --source stripe-invoices \\",
      "      --folder invoices__query_1785365521_5be1a0c7 --wait"
    })
final class StartRegisterCommand extends ReadingCommand {

  @Option(
      names = "--source",
      required = true,
      paramLabel = "NAME",
      description = "The source, by its name in the configuration.")
  private String source = "";

  @Option(
      names = "--folder",
      required = true,
      paramLabel = "NAME",
      description = "The prepared folder's bare name.")
  private String folder = "";

  @Option(
      names = "--job",
      paramLabel = "ID",
      defaultValue = "by-hand",
      description = "The import job it came from (default: ${DEFAULT-VALUE}).")
  private String job = "";

  @Option(
      names = "--order",
      paramLabel = "KIND:VALUE",
      description = "The producer's order (default: the epoch in the folder's name).")
  private @Nullable String order;

  @Option(
      names = "--options",
      paramLabel = "NAME",
      description = "A set of options of the configuration, instead of the source's own.")
  private @Nullable String options;

  @Option(names = "--wait", description = "Follow it to its end, with progress.")
  private boolean wait;

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    Configuration configuration = config.read();
    RegisterTrigger trigger = SourceTrigger.of(configuration, source, folder, job, order, options);
    return StartedImport.answer(configuration, trigger, wait ? err() : null);
  }
}
