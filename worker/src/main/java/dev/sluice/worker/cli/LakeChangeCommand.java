package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitResult;
import dev.sluice.worker.wiring.Connections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that changes what a lake's catalog says, in one commit. */
abstract class LakeChangeCommand extends ReadingCommand {

  @Mixin private LakeOption lake = new LakeOption();

  @Option(
      names = "--published",
      description =
          "Change the table even though a source publishes to it; its next generation may undo it.")
  private boolean published;

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
      if (plan.table() != null && !published) {
        requireUnpublished(connections, plan.table());
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

  /** What a generation brings replaces what was changed by hand, so that takes a decision. */
  static void requireUnpublished(Connections connections, TableName table) {
    Optional<TableNames.Assigned> owner;
    try {
      owner = connections.home().names().owners(table.schema(), table.table()).stream().findFirst();
    } catch (StateException e) {
      if (e.kind() != StateException.Kind.NOT_MIGRATED) {
        throw e;
      }
      // no home yet: nothing was ever published
      owner = Optional.empty();
    }
    owner.ifPresent(
        source -> {
          throw CommandErrors.publishedTable(table, source.source().schemaId());
        });
  }
}
