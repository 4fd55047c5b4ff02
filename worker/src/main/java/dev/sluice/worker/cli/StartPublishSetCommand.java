package dev.sluice.worker.cli;

import dev.sluice.worker.config.Configuration;
import dev.sluice.worker.wiring.TemporalConnection;
import dev.sluice.workflows.PublishSetInput;
import dev.sluice.workflows.PublishSetResult;
import dev.sluice.workflows.PublishSetWorkflow;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowFailedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Publishes prepared folders of several sources in one snapshot. */
@Command(
    name = "publish-set",
    mixinStandardHelpOptions = true,
    description = {
      "Register prepared folders of several configured sources and make them visible in one snapshot.",
      "As a whole or not at all: a member that is stale, closed or fails keeps the others back."
    },
    footer = {
      "",
      "Example:",
      "  ./sluice start publish-set --member invoices=invoices__query_1785365521_5be1a0c7 \\",
      "      --member customers=customers__query_1785365522_0c7be1a0 --wait"
    })
final class StartPublishSetCommand extends ReadingCommand {

  @Option(
      names = "--member",
      required = true,
      paramLabel = "SOURCE=FOLDER",
      description = "A source by its configured name, and its prepared folder's bare name.")
  private List<String> members = new ArrayList<>();

  @Option(
      names = "--job",
      paramLabel = "ID",
      defaultValue = "by-hand",
      description = "The import job they came from (default: ${DEFAULT-VALUE}).")
  private String job = "";

  @Option(
      names = "--order",
      paramLabel = "SOURCE=KIND:VALUE",
      description = "A member's producer order (default: the epoch in the folder's name).")
  private Map<String, String> orders = new LinkedHashMap<>();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the set (default: the job).")
  private @Nullable String name;

  @Option(names = "--wait", description = "Follow it to its end.")
  private boolean wait;

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    Configuration configuration = config.read();
    PublishSetInput input = input(configuration);
    try (TemporalConnection temporal = TemporalConnection.open(configuration.temporal())) {
      String workflowId = PublishSetWorkflow.TYPE + "-" + input.name();
      PublishSetWorkflow workflow =
          WorkflowStubs.of(
              temporal,
              PublishSetWorkflow.class,
              workflowId,
              "Publish %d tables in one snapshot: %s"
                  .formatted(
                      input.members().size(),
                      input.members().stream()
                          .map(member -> member.sourceType() + " " + member.table())
                          .collect(Collectors.joining(", "))),
              input.members().stream().map(RegisterTrigger::attemptId).toList().toString());
      try {
        WorkflowClient.start(workflow::run, input);
      } catch (WorkflowExecutionAlreadyStarted running) {
        throw CommandErrors.setRuns(workflowId, running);
      }
      if (!wait) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("workflow", workflowId);
        return new Answer(tree, List.of("workflow " + workflowId + " started"));
      }
      return answer(workflowId, input, await(temporal.client(), workflowId));
    }
  }

  private static PublishSetResult await(WorkflowClient client, String workflowId) {
    try {
      return client.newUntypedWorkflowStub(workflowId).getResult(PublishSetResult.class);
    } catch (WorkflowFailedException e) {
      throw CommandErrors.ended(workflowId, e);
    }
  }

  private PublishSetInput input(Configuration configuration) {
    List<RegisterTrigger> triggers = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String member : members) {
      int equals = member.indexOf('=');
      if (equals <= 0 || equals == member.length() - 1) {
        throw CommandErrors.badMember(member);
      }
      String source = member.substring(0, equals);
      if (!seen.add(source)) {
        throw CommandErrors.badMember(member);
      }
      triggers.add(
          SourceTrigger.of(
              configuration, source, member.substring(equals + 1), job, orders.get(source), null));
    }
    for (String source : orders.keySet()) {
      if (!seen.contains(source)) {
        throw CommandErrors.orderOfNoMember(source);
      }
    }
    return new PublishSetInput(name == null ? job : name, triggers);
  }

  private static Answer answer(String workflowId, PublishSetInput input, PublishSetResult result) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("workflow", workflowId);
    tree.put("status", result.status().word());
    tree.put("reason", result.reason());
    tree.put("snapshot", result.snapshotId());
    List<Object> trees = new ArrayList<>();
    TextTable text = new TextTable("TABLE", "GENERATION", "STATUS", "ROWS", "SNAPSHOT", "REASON");
    for (int i = 0; i < result.members().size(); i++) {
      RegisterResult member = result.members().get(i);
      String source = input.members().get(i).table();
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("schema", member.schema());
      one.put("table", member.table());
      one.put("generation", member.generation());
      one.put("status", member.status().word());
      one.put("reason", member.reason());
      one.put("rows", member.rows());
      one.put("snapshot", member.snapshotId());
      trees.add(one);
      text.row(
          // a member that was never begun has no table yet
          member.schema() == null ? source : member.schema() + "." + member.table(),
          member.generation(),
          member.status().word(),
          member.rows(),
          member.snapshotId(),
          member.reason());
    }
    tree.put("members", trees);
    List<String> lines = new ArrayList<>(text.lines());
    lines.add(
        result.status().word()
            + (result.snapshotId() == null ? "" : " at snapshot " + result.snapshotId())
            + (result.reason() == null ? "" : "; " + result.reason()));
    return new Answer(tree, lines, code(result.status()));
  }

  /** As of a trigger by itself, but that what was asked for as a whole is not there when stale. */
  private static ExitCode code(RegisterStatus status) {
    return switch (status) {
      case COMPLETED -> ExitCode.DONE;
      case STALE -> ExitCode.CONFLICT;
      case SKIPPED -> ExitCode.REFUSED;
      case FAILED -> ExitCode.FAILED;
    };
  }
}
