package dev.sluice.activities.publish;

import dev.sluice.activities.jobs.ProposedName;
import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogView;
import dev.sluice.workflows.naming.InvalidNameException;
import dev.sluice.workflows.naming.NamingPolicy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks what a rename of a team's tables would do. Changes nothing. Thread-safe. */
final class RenamePlanner {

  /** PostgreSQL cuts longer identifiers. */
  private static final int MAX_BYTES = 63;

  private final Provisioning provisioning;
  private final TableNames names;
  private final SourceJobs jobs;
  private final Catalog catalog;
  private final StateDatabase state;

  RenamePlanner(
      Provisioning provisioning,
      TableNames names,
      SourceJobs jobs,
      Catalog catalog,
      StateDatabase state) {
    this.provisioning = provisioning;
    this.names = names;
    this.jobs = jobs;
    this.catalog = catalog;
    this.state = state;
  }

  /** The table of a publication that is live under this name; empty when there is none. */
  static Optional<Table> published(StateDatabase state, CatalogView view, Target target) {
    return state
        .read(dsl -> Publications.findLive(dsl, target))
        .flatMap(
            live ->
                view.findTable(new TableName(target.schema(), target.table()))
                    .filter(table -> table.id() == live.tableId()));
  }

  RenamePlan plan(Provisioning.Team team, NamingPolicy policy, @Nullable Long undoes) {
    List<TableNames.Assigned> all = names.ofTeam(team.id());
    List<String> problems = new ArrayList<>();
    List<RenamePlan.Entry> entries = new ArrayList<>();
    Map<String, SourceRef> owners = new HashMap<>();
    Set<Long> moving = new HashSet<>();
    CatalogView view = catalog.reader().view(catalog.reader().latest());
    for (TableNames.Assigned each : all) {
      Optional<String> proposed = proposed(team, policy, each, problems);
      if (proposed.isEmpty()) {
        continue;
      }
      String schema = each.target().schema();
      SourceRef other = owners.put(lower(schema, proposed.get()), each.source());
      if (other != null) {
        problems.add(
            "%s.%s: two sources would have this name, %s and %s; give one of the two another prefix, or keep the policy"
                .formatted(schema, proposed.get(), other, each.source()));
      }
      if (!proposed.get().equals(each.target().table())) {
        Target target = new Target(catalog.info().key(), schema, each.target().table());
        Optional<Table> table = published(state, view, target);
        table.map(Table::id).ifPresent(moving::add);
        entries.add(
            new RenamePlan.Entry(
                each.source(), schema, each.target().table(), proposed.get(), table.isPresent()));
      }
    }
    for (RenamePlan.Entry entry : entries) {
      taken(team, entry, view, moving).ifPresent(problems::add);
    }
    problems.addAll(running(entries));
    return new RenamePlan(team, policy.id(), undoes, all, entries, problems);
  }

  private Optional<String> proposed(
      Provisioning.Team team,
      NamingPolicy policy,
      TableNames.Assigned assigned,
      List<String> problems) {
    String context = assigned.target().schema() + "." + assigned.target().table();
    Optional<Provisioning.Source> source = provisioning.findSource(assigned.source());
    if (source.isEmpty()) {
      problems.add(
          "%s: no name can be proposed; its source %s was never configured; add it under sources"
              .formatted(context, assigned.source()));
      return Optional.empty();
    }
    if (!assigned.target().lake().equals(team.lake())) {
      problems.add(
          "%s: it is in lake %s and the team's other tables are in lake %s; one transaction cannot span two lakes; the team's naming policy has to stay"
              .formatted(context, assigned.target().lake(), team.lake()));
      return Optional.empty();
    }
    try {
      String name = ProposedName.table(policy, source.get());
      int bytes = name.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MAX_BYTES) {
        problems.add(
            "%s: the new name %s is too long; it has %d bytes of UTF-8 and at most %d are safe; give the source another prefix, or choose another policy"
                .formatted(context, name, bytes, MAX_BYTES));
        return Optional.empty();
      }
      return Optional.of(name);
    } catch (InvalidNameException e) {
      problems.add(context + ": no name can be proposed; " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Whether a name belongs to somebody who keeps it. */
  private Optional<String> taken(
      Provisioning.Team team, RenamePlan.Entry entry, CatalogView view, Set<Long> moving) {
    String context = entry.schema() + "." + entry.newName();
    Optional<SourceRef> owner =
        names
            .findOwner(new Target(team.lake(), entry.schema(), entry.newName()))
            .map(TableNames.Assigned::source);
    if (owner.isPresent()) {
      // one of the team's own either moves as well, or is named with the names that meet
      return owner
          .filter(source -> source.team() != team.id())
          .map(
              source ->
                  "%s: the name belongs to another source, %s; give one of the two another prefix, or keep the policy"
                      .formatted(context, source));
    }
    return view.findTable(new TableName(entry.schema(), entry.newName()))
        .filter(table -> !moving.contains(table.id()))
        .map(
            table ->
                "%s: the lake has a table of this name that Sluice does not publish to (id %d); rename or drop it with DuckDB first"
                    .formatted(context, table.id()));
  }

  private List<String> running(List<RenamePlan.Entry> entries) {
    List<SourceRef> sources = entries.stream().map(RenamePlan.Entry::source).toList();
    return jobs.running().stream()
        .map(SourceJob::key)
        .filter(key -> sources.contains(key.source()))
        .map(
            key ->
                key
                    + ": it is being brought in; wait for its end (./sluice jobs), or hold the table"
                    + " first: ./sluice pause TABLE")
        .toList();
  }

  private static String lower(String schema, String table) {
    return (schema + "." + table).toLowerCase(Locale.ROOT);
  }
}
