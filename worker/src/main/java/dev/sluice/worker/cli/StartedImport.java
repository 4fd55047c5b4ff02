package dev.sluice.worker.cli;

import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.config.SourceSettings;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.worker.wiring.TemporalConnection;
import dev.sluice.workflows.ModelResult;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.TriggerRules;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hands a trigger of a configured source over and, where asked for, follows it to its end. */
final class StartedImport {

  private StartedImport() {}

  /**
   * Finds a source by its name in the configuration.
   *
   * @throws CommandException when there is none of that name
   */
  static SourceSettings source(Configuration configuration, String name) {
    SourceSettings settings = configuration.sources().get(name);
    if (settings == null) {
      throw CommandErrors.unknownSource(name, configuration.sources().keySet());
    }
    return settings;
  }

  /**
   * Hands the trigger to the workflow of its source.
   *
   * @param progress where the progress of a run that is followed goes; null not to follow it
   * @throws dev.sluice.workflows.naming.InvalidNameException when it cannot be taken, whether
   *     Temporal is there or not
   */
  static Answer answer(
      Configuration configuration, RegisterTrigger trigger, @Nullable PrintWriter progress) {
    TriggerRules.require(trigger);
    try (TemporalConnection temporal = TemporalConnection.open(configuration.temporal())) {
      RegisterStart start = RegisterStart.submit(temporal, trigger);
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("workflow", start.workflowId());
      tree.put("run", start.runId());
      tree.put("started", start.runId() != null);
      if (progress == null) {
        return new Answer(tree, List.of("workflow " + start.workflowId() + " " + start.how()));
      }
      RegisterWatch watch = new RegisterWatch(temporal.client(), progress);
      return ended(tree, own(configuration, trigger, last(watch, start, trigger)));
    }
  }

  /** The last outcome of the trigger's workflow; of a model, that of the model in it. */
  private static RegisterResult last(
      RegisterWatch watch, RegisterStart start, RegisterTrigger trigger) {
    return switch (trigger.path()) {
      case REGISTER, COPY -> watch.follow(start.workflowId(), start.runId());
      case MODEL -> {
        List<ModelResult> models = watch.followModels(start.workflowId(), start.runId()).models();
        yield models.stream()
            .filter(model -> model.savedQueryId().equals(trigger.sourceSchemaId()))
            .map(ModelResult::result)
            .findFirst()
            .orElseGet(() -> models.getLast().result());
      }
    };
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
}
