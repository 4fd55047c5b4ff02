package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.TableNames;
import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.worker.wiring.TemporalConnection;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RollbackRequest;
import dev.sluice.workflows.RollbackWorkflow;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Brings an earlier generation of a table back. */
@Command(
    name = "rollback",
    mixinStandardHelpOptions = true,
    description = {
      "Make an earlier generation the content of its table again, and follow that to its end.",
      "It is verified and published as any generation is. The next newer generation of the source"
          + " follows by itself; to prevent that, pause the source first: ./sluice pause TABLE"
    },
    footer = {
      "",
      "Example:",
      "  ./sluice generations insights_data_imports_team_1.stripe_invoices",
      "  ./sluice rollback insights_data_imports_team_1.stripe_invoices --to 1785365521_5be1a0c7"
    })
final class RollbackCommand extends ReadingCommand {

  @Mixin private TableOption table = new TableOption();

  @Option(
      names = "--to",
      required = true,
      paramLabel = "GENERATION",
      description = "The generation, as ./sluice generations lists it.")
  private String generation = "";

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "Names this rollback: one key is carried out once, however often the command is repeated"
              + " (default: made of what is live now).")
  private @Nullable String key;

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    Configuration configuration = config.read();
    RollbackRequest request;
    try (Connections connections = Connections.of(configuration)) {
      TableNames.Assigned owner = table.owner(connections);
      request =
          new RollbackRequest(
              owner.source().team(),
              owner.source().schemaId(),
              owner.target().lake(),
              owner.target().schema(),
              owner.target().table(),
              generation,
              key);
    }
    try (TemporalConnection temporal = TemporalConnection.open(configuration.temporal())) {
      String workflowId = start(temporal, request);
      RegisterResult result = new RegisterWatch(temporal.client(), err()).followOrThrow(workflowId);
      return answer(workflowId, result);
    }
  }

  private static String start(TemporalConnection temporal, RollbackRequest request) {
    String workflowId =
        WorkflowIds.of(RollbackWorkflow.TYPE, request.team(), request.sourceSchemaId());
    String asked =
        "%s.%s to %s%s"
            .formatted(
                request.schema(),
                request.table(),
                request.generation(),
                request.key() == null ? "" : " as " + request.key());
    RollbackWorkflow workflow =
        WorkflowStubs.of(
            temporal,
            RollbackWorkflow.class,
            workflowId,
            "Roll %s.%s back to %s"
                .formatted(request.schema(), request.table(), request.generation()),
            asked);
    try {
      WorkflowClient.start(workflow::run, request);
      return workflowId;
    } catch (WorkflowExecutionAlreadyStarted running) {
      if (WorkflowStubs.runsFor(temporal, workflowId, asked)) {
        // the very same was asked for already: what comes of it is the answer
        return workflowId;
      }
      throw CommandErrors.rollbackRuns(workflowId, running);
    }
  }

  private Answer answer(String workflowId, RegisterResult result) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("workflow", workflowId);
    tree.put("status", result.status().word());
    tree.put("reason", result.reason());
    tree.put("schema", table.name().schema());
    tree.put("table", table.name().table());
    tree.put("generation", generation);
    tree.put("rows", result.rows());
    tree.put("files", result.files());
    tree.put("snapshot", result.snapshotId());
    String line =
        result.reason() == null
            ? "%s is generation %s again, %d rows at snapshot %d"
                .formatted(table.name(), generation, result.rows(), result.snapshotId())
            : "%s: %s; %s".formatted(table.name(), result.status().word(), result.reason());
    // stale: overtaken by an attempt that was opened later
    ExitCode code = result.status() == RegisterStatus.STALE ? ExitCode.CONFLICT : ExitCode.DONE;
    return new Answer(tree, List.of(line), code);
  }
}
