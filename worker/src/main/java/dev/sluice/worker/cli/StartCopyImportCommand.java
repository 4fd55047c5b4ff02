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

  @Option(
      names = "--source",
      required = true,
      paramLabel = "NAME",
      description = "The source, by its name in the configuration.")
  private String source = "";

  @Option(
      names = "--version",
      paramLabel = "N",
      description = "The version to copy (default: the newest when the copy begins).")
  private @Nullable Long version;

  @Option(
      names = "--job",
      paramLabel = "ID",
      defaultValue = "by-hand",
      description = "The import job it came from (default: ${DEFAULT-VALUE}).")
  private String job = "";

  @Option(
      names = "--order",
      paramLabel = "KIND:VALUE",
      description = {
        "The producer's order (default: the version). With import_finished:MICROSECONDS the newest",
        "version is copied, for tables whose versions start again now and then."
      })
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
    RegisterTrigger trigger = trigger(StartedImport.source(configuration, source));
    return StartedImport.answer(configuration, trigger, wait ? err() : null);
  }

  private RegisterTrigger trigger(SourceSettings settings) {
    return RegisterTrigger.copy(
        settings.ref().team(),
        job,
        settings.ref().schemaId(),
        settings.type(),
        settings.prefix(),
        settings.table(),
        order(),
        null,
        options);
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
