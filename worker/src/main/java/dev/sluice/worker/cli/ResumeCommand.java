package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.SourcePauses;
import dev.sluice.activities.jobs.StoredTrigger;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.jobs.TriggerState;
import dev.sluice.activities.temporal.LakeAccess;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.worker.wiring.TemporalConnection;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.ProducerOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets a table go on. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    description = {
      "Let a paused table go on, and start the newest generation that was skipped meanwhile."
    },
    footer = {"", "Example:", "  ./sluice resume insights_data_imports_team_1.stripe_invoices"})
final class ResumeCommand extends ReadingCommand {

  /** A source is asked for a few times an hour at most; older ones are superseded anyway. */
  private static final int LOOKED_AT = 100;

  @Mixin private TableOption table = new TableOption();

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    try (Connections connections = config.connect()) {
      TableNames.Assigned owner = table.owner(connections);
      Optional<SourcePauses.Pause> ended = connections.home().pauses().resume(owner.source());
      List<String> lines = new ArrayList<>();
      lines.add(
          table.name()
              + ": "
              + ended.map(was -> "goes on; " + was.pastSentence()).orElse("was not paused"));
      Map<String, @Nullable Object> tree = new LinkedHashMap<>();
      tree.put("schema", table.name().schema());
      tree.put("table", table.name().table());
      tree.put("pausedAt", ended.map(was -> was.pausedAt().toString()).orElse(null));
      tree.put("reason", ended.map(SourcePauses.Pause::reason).orElse(null));
      Optional<RegisterTrigger> missed = missed(connections, owner);
      tree.put("started", missed.map(each -> each.generation().value()).orElse(null));
      if (missed.isPresent()) {
        lines.add(start(connections, missed.get()));
      }
      return new Answer(tree, lines);
    }
  }

  /** The newest generation asked for, if it was skipped for the pause and may still follow. */
  private static Optional<RegisterTrigger> missed(
      Connections connections, TableNames.Assigned owner) {
    LakeAccess lake = connections.require(owner.target().lake());
    Target target = new Target(lake.key(), owner.target().schema(), owner.target().table());
    Optional<ProducerOrder> published =
        lake.state().read(dsl -> Fences.find(dsl, target)).map(Fences.Fence::published);
    return connections.home().triggers().newest(owner.source(), LOOKED_AT).stream()
        .filter(each -> each.state() != TriggerState.REFUSED)
        .findFirst()
        .filter(each -> each.state() == TriggerState.SKIPPED)
        .filter(each -> SourcePauses.isCause(each.reason()))
        .map(StoredTrigger::trigger)
        .filter(each -> published.filter(newest -> newest.isNewerThan(each.order())).isEmpty());
  }

  private static String start(Connections connections, RegisterTrigger trigger) {
    try (TemporalConnection temporal =
        TemporalConnection.open(connections.configuration().temporal())) {
      RegisterStart start = RegisterStart.submit(temporal, trigger);
      return "generation %s was skipped meanwhile: workflow %s %s"
          .formatted(trigger.generation(), start.workflowId(), start.how());
    }
  }
}
