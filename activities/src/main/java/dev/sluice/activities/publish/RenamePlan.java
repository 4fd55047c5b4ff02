package dev.sluice.activities.publish;

import dev.sluice.activities.jobs.Provisioning;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.TableRename;
import dev.sluice.activities.jobs.TableRenames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rename of a team's tables would do, and what stops it.
 *
 * @param team the team as it is
 * @param toPolicy id of the naming policy it shall have
 * @param undoes the rename that this one takes back; null when it takes none back
 * @param names all of the team's tables as they are
 * @param entries those whose names change
 * @param problems what stops it, each with reason and remedy; empty when nothing does
 */
public record RenamePlan(
    Provisioning.Team team,
    String toPolicy,
    @Nullable Long undoes,
    List<TableNames.Assigned> names,
    List<Entry> entries,
    List<String> problems) {

  /** Copies the lists. */
  public RenamePlan {
    names = List.copyOf(names);
    entries = List.copyOf(entries);
    problems = List.copyOf(problems);
  }

  /**
   * One table.
   *
   * @param source the source that publishes to it
   * @param schema its schema
   * @param oldName its name
   * @param newName the name it would get
   * @param published whether the lake has the table
   */
  public record Entry(
      SourceRef source, String schema, String oldName, String newName, boolean published) {}

  /** Whether the team has the policy already and no table would change. */
  public boolean isDone() {
    return entries.isEmpty() && team.namingVersion().equals(toPolicy);
  }

  /** What the home database is asked to write down. */
  public TableRenames.Request request() {
    return new TableRenames.Request(
        team,
        toPolicy,
        undoes,
        names,
        entries.stream()
            .map(
                entry ->
                    new TableRename.Item(
                        entry.source().schemaId(),
                        entry.schema(),
                        entry.oldName(),
                        entry.newName()))
            .toList());
  }
}
