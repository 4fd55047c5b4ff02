package dev.sluice.worker.cli;

import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.config.SourceSettings;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.ProducerOrder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Copies one version of a configured source's Delta table. */
@Command(
    name = "copy-import",
    mixinStandardHelpOptions = true,
    description = {
      "Copy a version of a configured source's Delta table.",
      "While another version of the source is being copied, this one waits for its turn."
    },
    footer = {
      "",
      "Example:",
      "  ./sluice start copy-import --source stripe-invoices --version 12 --wait"
    })
final class StartCopyImportCommand extends ReadingCommand {

  @Mixin private SourceOptions source = new SourceOptions();

  @Option(
      names = "--version",
      paramLabel = "N",
      description = "The version to copy (default: the newest when the copy begins).")
  private @Nullable Long version;

  @Option(
      names = "--order",
      paramLabel = "KIND:VALUE",
      description = {
        "The producer's order (default: the version). With import_finished:MICROSECONDS the newest",
        "version is copied, for tables whose versions start again now and then."
      })
  private @Nullable String order;

  @Mixin private StartOptions start = new StartOptions();

  @Override
  Answer answer() {
    Configuration configuration = start.configuration();
    RegisterTrigger trigger = trigger(StartedImport.source(configuration, source.source()));
    return StartedImport.answer(configuration, trigger, start.follows() ? err() : null);
  }

  private RegisterTrigger trigger(SourceSettings settings) {
    return RegisterTrigger.copy(
        settings.ref().team(),
        source.job(),
        settings.ref().schemaId(),
        settings.type(),
        settings.prefix(),
        settings.table(),
        order(),
        null,
        source.options());
  }

  private ProducerOrder order() {
    if (version != null && order != null) {
      throw CommandErrors.twoOrders(version, order);
    }
    if (order != null) {
      return ProducerOrder.parse(order);
    }
    return version == null
        ? ProducerOrder.NEWEST_DELTA_VERSION
        : ProducerOrder.deltaVersion(version);
  }
}
