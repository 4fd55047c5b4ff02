package dev.sluice.worker.cli;

import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitResult;
import dev.sluice.worker.wiring.Connections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that changes what a lake's catalog says, in one commit. */
abstract class LakeChangeCommand extends ReadingCommand {

  @Mixin private LakeOption lake = new LakeOption();

  @Mixin private PublishedOption published = new PublishedOption();

  @Mixin private ConfigOption config = new ConfigOption();

  /**
   * What shall be done.
   *
   * @param done says so once it is, e.g. {@code created table a.b}
   * @param table the table that is changed; null when it is none that exists
   * @param changes of the commit
   */
  record Plan(String done, @Nullable TableName table, List<Change> changes) {
    Plan {
      changes = List.copyOf(changes);
    }

    static Plan of(String done, @Nullable TableName table, Change change) {
      return new Plan(done, table, List.of(change));
    }
  }

  /** Reads the command's words; refuses what makes no sense. */
  abstract Plan plan();

  @Override
  final Answer answer() {
    Plan plan = plan();
    try (Connections connections = config.connect()) {
      String name = lake.name(connections);
      if (plan.table() != null) {
        published.requireAllowed(connections, plan.table());
      }
      CommitResult result =
          connections
              .require(name)
              .catalog()
              .commit(
                  CommitRequest.of(plan.done(), new CommitRequest.Base.Newest(), plan.changes()));
      boolean changed = result.outcome() == CommitResult.Outcome.COMMITTED;
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("done", plan.done());
      tree.put("changed", changed);
      tree.put("lake", name);
      tree.put("snapshot", result.snapshotId());
      return new Answer(
          tree,
          List.of(
              changed
                  ? "%s at snapshot %d".formatted(plan.done(), result.snapshotId())
                  : "nothing to do: it is so already at snapshot " + result.snapshotId()));
    }
  }
}
