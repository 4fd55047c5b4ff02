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

  @Mixin private SourceOptions source = new SourceOptions();

  @Option(
      names = "--folder",
      required = true,
      paramLabel = "NAME",
      description = "The prepared folder's bare name.")
  private String folder = "";

  @Option(
      names = "--order",
      paramLabel = "KIND:VALUE",
      description = "The producer's order (default: the epoch in the folder's name).")
  private @Nullable String order;

  @Mixin private StartOptions start = new StartOptions();

  @Override
  Answer answer() {
    Configuration configuration = start.configuration();
    RegisterTrigger trigger =
        SourceTrigger.of(
            configuration, source.source(), folder, source.job(), order, source.options());
    return StartedImport.answer(configuration, trigger, start.follows() ? err() : null);
  }
}
