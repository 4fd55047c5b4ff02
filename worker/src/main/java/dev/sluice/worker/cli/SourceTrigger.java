package dev.sluice.worker.cli;

import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.config.SourceSettings;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.TriggerRules;
import org.jspecify.annotations.Nullable;

/** Makes the trigger of a prepared folder of a source that a command names. */
final class SourceTrigger {

  private SourceTrigger() {}

  /**
   * Makes it, by the same rules for every command.
   *
   * @param source the source, by its name in the configuration
   * @param order text of the producer's order; null for the epoch in the folder's name
   * @param options a set of options of the configuration; null for the source's own
   * @throws CommandException when the configuration has no such source
   * @throws dev.sluice.workflows.naming.InvalidNameException when it cannot be taken
   */
  static RegisterTrigger of(
      Configuration configuration,
      String source,
      String folder,
      String job,
      @Nullable String order,
      @Nullable String options) {
    SourceSettings settings = StartedImport.source(configuration, source);
    RegisterTrigger trigger =
        new RegisterTrigger(
            settings.ref().team(),
            job,
            settings.ref().schemaId(),
            settings.type(),
            settings.prefix(),
            settings.table(),
            folder,
            order == null ? ProducerOrder.ofFolder(folder) : ProducerOrder.parse(order),
            null,
            options);
    TriggerRules.require(trigger);
    return trigger;
  }
}
