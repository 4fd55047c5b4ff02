package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.TableRename;
import dev.sluice.activities.publish.RenamePlan;
import dev.sluice.activities.publish.TableRenamer;
import dev.sluice.activities.temporal.LakeAccess;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.worker.wiring.HomeStores;
import dev.sluice.workflows.naming.NamingPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Renames all tables of a team to the names of another naming policy. */
@Command(
    name = "rename-tables",
    mixinStandardHelpOptions = true,
    description = {
      "Rename all tables of a team to the names of another naming policy, in one snapshot.",
      "Without --apply this is a dry run: it lists every change and what stops it."
    },
    footer = {
      "",
      "Afterwards set teams.NUMBER.naming in the configuration: a worker does not start with the"
          + " former policy.",
      "",
      "Example:",
      "  ./sluice rename-tables --team 2 --to-policy copy_v1",
      "  ./sluice rename-tables --team 2 --to-policy copy_v1 --apply",
      "  ./sluice rename-tables --team 2 --undo --apply"
    })
final class RenameTablesCommand extends ReadingCommand {

  @Spec private CommandSpec spec;

  @Option(names = "--team", required = true, paramLabel = "NUMBER", description = "The team.")
  private long team;

  @Option(
      names = "--to-policy",
      paramLabel = "POLICY",
      description = "The naming policy: copy_v1, legacy_batch_v1 or copy_v2.")
  private @Nullable String policy;

  @Option(names = "--undo", description = "Back to the policy before the team's newest rename.")
  private boolean undo;

  @Option(names = "--apply", description = "Do it. Without it this is a dry run.")
  private boolean apply;

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    if (undo && policy != null) {
      throw new ParameterException(
          spec.commandLine(), "--undo and --to-policy exclude each other; give one of them");
    }
    NamingPolicy wanted = policy == null ? null : NamingPolicy.ofId(policy);
    try (Connections connections = config.connect()) {
      HomeStores home = connections.home();
      Provisioning.Team provisioned = home.provisioning().requireTeam(team);
      LakeAccess lake = connections.require(provisioned.lake());
      TableRenamer renamer =
          new TableRenamer(
              new TableRenamer.Home(home.provisioning(), home.names(), home.jobs(), home.renames()),
              lake.catalog(),
              lake.state());
      Optional<TableRename> begun = home.renames().findApplying(team);
      if (begun.isPresent()) {
        return apply
            ? done(renamer.finishBegun(team).orElse(begun.get()), "An earlier call had begun it.")
            : unfinished(begun.get());
      }
      return planned(renamer, wanted);
    }
  }

  private Answer planned(TableRenamer renamer, @Nullable NamingPolicy wanted) {
    RenamePlan plan;
    if (wanted != null) {
      plan = renamer.plan(team, wanted);
    } else if (undo) {
      plan = renamer.planUndo(team).orElseThrow(() -> CommandErrors.nothingToUndo(team));
    } else {
      throw new ParameterException(
          spec.commandLine(), "give --to-policy POLICY, or --undo; nothing is unfinished");
    }
    if (plan.isDone()) {
      return new Answer(
          tree(plan, "nothing_to_do"),
          List.of("The tables of team %d have the names of %s.".formatted(team, plan.toPolicy())));
    }
    return apply && plan.problems().isEmpty() ? done(renamer.apply(plan), "") : shown(plan);
  }

  private Answer shown(RenamePlan plan) {
    List<String> lines = new ArrayList<>();
    TextTable text = new TextTable("SCHEMA", "TABLE", "NEW NAME", "SOURCE", "PUBLISHED");
    for (RenamePlan.Entry entry : plan.entries()) {
      text.row(
          entry.schema(),
          entry.oldName(),
          entry.newName(),
          entry.source().schemaId(),
          entry.published() ? "yes" : "not yet");
    }
    if (!text.isEmpty()) {
      lines.addAll(text.lines());
    }
    lines.add(
        "%d of %d tables of team %d change their names: %s to %s."
            .formatted(
                plan.entries().size(),
                plan.names().size(),
                team,
                plan.team().namingVersion(),
                plan.toPolicy()));
    if (plan.problems().isEmpty()) {
      lines.add("Dry run: nothing was renamed; --apply renames all of them in one snapshot.");
      return new Answer(tree(plan, "planned"), lines);
    }
    lines.add("Nothing was renamed; what stops it:");
    plan.problems().forEach(problem -> lines.add("  " + problem));
    return new Answer(tree(plan, "stopped"), lines, ExitCode.CONFLICT);
  }

  private Map<String, @Nullable Object> tree(RenamePlan plan, String state) {
    Map<String, @Nullable Object> tree = head(plan.team().namingVersion(), plan.toPolicy(), state);
    List<Object> tables = new ArrayList<>();
    for (RenamePlan.Entry entry : plan.entries()) {
      Map<String, @Nullable Object> table =
          table(entry.source().schemaId(), entry.schema(), entry.oldName(), entry.newName());
      table.put("published", entry.published());
      tables.add(table);
    }
    tree.put("tables", tables);
    tree.put("problems", plan.problems());
    return tree;
  }

  private Answer done(TableRename rename, String remark) {
    List<String> lines = new ArrayList<>();
    if (!remark.isEmpty()) {
      lines.add(remark);
    }
    lines.add(
        "%d tables of team %d have the names of %s now%s; it was %s."
            .formatted(
                rename.items().size(),
                team,
                rename.toPolicy(),
                rename.snapshotId() == null ? "" : ", at snapshot " + rename.snapshotId(),
                rename.fromPolicy()));
    lines.add(
        "Set teams.%d.naming: %s in the configuration of every worker; a worker with another policy"
                .formatted(team, rename.toPolicy())
            + " does not start.");
    lines.add("Undo: ./sluice rename-tables --team %d --undo --apply".formatted(team));
    return new Answer(tree(rename), lines);
  }

  private Answer unfinished(TableRename rename) {
    return new Answer(
        tree(rename),
        List.of(
            "A rename to the names of %s was begun at %s and is not finished; no attempt of the team begins until it is."
                .formatted(rename.toPolicy(), JobText.time(rename.begunAt())),
            "Finish it: ./sluice rename-tables --team %d --apply".formatted(team)),
        ExitCode.CONFLICT);
  }

  private Map<String, @Nullable Object> tree(TableRename rename) {
    Map<String, @Nullable Object> tree =
        head(rename.fromPolicy(), rename.toPolicy(), rename.state().word());
    tree.put("snapshot", rename.snapshotId());
    tree.put("begunAt", rename.begunAt().toString());
    tree.put(
        "tables",
        rename.items().stream()
            .map(item -> table(item.schemaId(), item.schema(), item.oldName(), item.newName()))
            .toList());
    return tree;
  }

  private Map<String, @Nullable Object> head(String from, String to, String state) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("team", team);
    tree.put("from", from);
    tree.put("to", to);
    tree.put("state", state);
    return tree;
  }

  private static Map<String, @Nullable Object> table(
      String source, String schema, String oldName, String newName) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("source", source);
    tree.put("schema", schema);
    tree.put("table", oldName);
    tree.put("newName", newName);
    return tree;
  }
}
