package dev.sluice.activities.publish;

import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.RenamedTargets;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.TableRename;
import dev.sluice.activities.jobs.TableRenames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.CommitRequest;
import dev.sluice.catalog.commit.CommitRequest.Base;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.error.CommitConflictException;
import dev.sluice.catalog.error.InvalidChangeException;
import dev.sluice.catalog.read.CatalogView;
import dev.sluice.workflows.naming.NamingPolicy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Renames all tables of a team from the names of one naming policy to those of another, in one
 * commit: readers see all of the old names or all of the new ones, and the tables keep ids and
 * history. Written down in the home database first, carried out in the lake under a key of its own,
 * then closed in the home database; a call that finds one begun finishes it. Thread-safe, also
 * across processes.
 */
public final class TableRenamer {

  private static final String AUTHOR = "sluice";

  private final Provisioning provisioning;
  private final TableRenames renames;
  private final RenamePlanner planner;
  private final Catalog catalog;
  private final StateDatabase state;

  /** The home database's stores that a rename needs. */
  public record Home(
      Provisioning provisioning, TableNames names, SourceJobs jobs, TableRenames renames) {}

  /**
   * Renames tables in one lake.
   *
   * @param catalog the lake of the team
   * @param state Sluice's tables beside it
   */
  public TableRenamer(Home home, Catalog catalog, StateDatabase state) {
    this.provisioning = home.provisioning();
    this.renames = home.renames();
    this.planner = new RenamePlanner(provisioning, home.names(), home.jobs(), catalog, state);
    this.catalog = catalog;
    this.state = state;
  }

  /**
   * Looks what a rename to the policy's names would do; changes nothing.
   *
   * @throws dev.sluice.activities.jobs.StateException of kind {@code NOT_PROVISIONED}
   */
  public RenamePlan plan(long team, NamingPolicy policy) {
    return planner.plan(provisioning.requireTeam(team), policy, null);
  }

  /**
   * Looks what taking the team's newest rename back would do; changes nothing. Tables that came
   * since get the names of the former policy as well.
   *
   * @return empty when nothing was ever renamed
   * @throws dev.sluice.activities.jobs.StateException of kind {@code NOT_PROVISIONED}
   */
  public Optional<RenamePlan> planUndo(long team) {
    Provisioning.Team provisioned = provisioning.requireTeam(team);
    return renames
        .findNewest(team)
        .map(
            rename ->
                planner.plan(provisioned, NamingPolicy.ofId(rename.fromPolicy()), rename.id()));
  }

  /**
   * Carries a plan out.
   *
   * @throws dev.sluice.activities.jobs.StateException as {@link TableRenames#begin} says; nothing
   *     was changed
   * @throws dev.sluice.catalog.error.CatalogException as its kind says; after one that the lake's
   *     state is the reason of nothing was changed, after any other a further call finishes
   */
  public TableRename apply(RenamePlan plan) {
    return finish(renames.begin(plan.request()));
  }

  /**
   * Finishes a rename that an earlier call began and could not finish.
   *
   * @return the rename; empty when there is none to finish
   * @throws dev.sluice.catalog.error.CatalogException as {@link #apply} says
   */
  public Optional<TableRename> finishBegun(long team) {
    return renames.findApplying(team).map(this::finish);
  }

  private TableRename finish(TableRename rename) {
    long snapshot;
    try {
      snapshot = commit(rename);
    } catch (InvalidChangeException | CommitConflictException e) {
      // decided under the lock, after the key was looked up: nothing of it took place, now or ever
      renames.abandon(rename.id(), String.valueOf(e.getMessage()));
      throw e;
    }
    return renames.finish(rename.id(), snapshot);
  }

  /**
   * Renames the tables that exist, with what is kept by their names; once, however often called.
   */
  long commit(TableRename rename) {
    String summary =
        "rename the tables of team %d from %s to %s"
            .formatted(rename.team(), rename.fromPolicy(), rename.toPolicy());
    return catalog
        .commit(
            new CommitRequest(
                summary,
                key(rename),
                new Base.Newest(),
                List.of(),
                changes(rename),
                List.of(context -> RenamedTargets.move(context.dsl(), context.lake(), rename)),
                AUTHOR,
                summary))
        .snapshotId();
  }

  /** Another home database counts its renames anew. */
  private static String key(TableRename rename) {
    return "rename-tables:%d:%d:%d"
        .formatted(
            rename.team(), rename.id(), ChronoUnit.MICROS.between(Instant.EPOCH, rename.begunAt()));
  }

  /** A name that another table is about to leave is given in a second step. */
  private List<Change> changes(TableRename rename) {
    CatalogView view = catalog.reader().view(catalog.reader().latest());
    Set<String> leaving =
        rename.items().stream()
            .map(item -> item.schema() + "." + item.oldName())
            .collect(Collectors.toSet());
    List<Change> first = new ArrayList<>();
    List<Change> second = new ArrayList<>();
    for (TableRename.Item item : rename.items()) {
      Target target = new Target(catalog.info().key(), item.schema(), item.oldName());
      Optional<Table> table = RenamePlanner.published(state, view, target);
      if (table.isEmpty()) {
        continue;
      }
      TableRef ref = TableRef.id(table.get().id());
      Change last = new Change.RenameTable(ref, item.newName());
      if (leaving.contains(item.schema() + "." + item.newName())) {
        first.add(new Change.RenameTable(ref, "rename " + rename.id() + " " + table.get().id()));
        second.add(last);
      } else {
        first.add(last);
      }
    }
    first.addAll(second);
    return first;
  }
}
