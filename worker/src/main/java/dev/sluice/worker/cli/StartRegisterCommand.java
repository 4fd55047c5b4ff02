package dev.sluice.worker.cli;

import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.config.SourceSettings;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.worker.wiring.TemporalConnection;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.ProducerOrder;
import dev.sluice.workflows.naming.TriggerRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    SourceSettings settings = configuration.sources().get(source);
    if (settings == null) {
      throw CommandErrors.unknownSource(source, configuration.sources().keySet());
    }
    RegisterTrigger trigger = trigger(settings);
    TriggerRules.require(trigger);
    try (TemporalConnection temporal = TemporalConnection.open(configuration.temporal())) {
      RegisterStart start = RegisterStart.submit(temporal, trigger);
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("workflow", start.workflowId());
      tree.put("run", start.runId());
      tree.put("started", start.runId() != null);
      if (!wait) {
        return new Answer(tree, List.of("workflow " + start.workflowId() + " " + start.how()));
      }
      RegisterWatch watch = new RegisterWatch(temporal.client(), err());
      RegisterResult result =
          own(configuration, trigger, watch.follow(start.workflowId(), start.runId()));
      return ended(tree, result);
    }
  }

  /** The workflow may have gone on to a newer trigger, and its last outcome be of that. */
  private static RegisterResult own(
      Configuration configuration, RegisterTrigger trigger, RegisterResult last) {
    if (last.attemptId().equals(trigger.attemptId())) {
      return last;
    }
    try (Connections connections = Connections.of(configuration)) {
      return OwnOutcome.find(connections.home(), trigger).orElse(last);
    }
  }

  private static Answer ended(Map<String, @Nullable Object> tree, RegisterResult result) {
    tree.put("status", result.status().word());
    tree.put("reason", result.reason());
    tree.put("failure", result.failureType());
    tree.put("schema", result.schema());
    tree.put("table", result.table());
    tree.put("rows", result.rows());
    tree.put("files", result.files());
    tree.put("bytes", result.bytes());
    tree.put("snapshot", result.snapshotId());
    tree.put("generation", result.generation());
    StringBuilder line = new StringBuilder();
    line.append("generation ").append(result.generation()).append(": ");
    line.append(result.status().word());
    if (result.snapshotId() != null) {
      line.append(", ").append(result.rows()).append(" rows in ").append(result.files());
      line.append(" files of ").append(result.schema()).append('.').append(result.table());
      line.append(" at snapshot ").append(result.snapshotId());
    }
    if (result.reason() != null) {
      line.append("; ").append(result.reason());
    }
    return new Answer(tree, List.of(line.toString()), ExitCodes.of(result));
  }

  private RegisterTrigger trigger(SourceSettings settings) {
    return new RegisterTrigger(
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
  }
}
