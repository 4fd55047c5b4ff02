package dev.sluice.activities.query;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.TableName;
import java.util.List;
import java.util.OptionalLong;

/**
 * Which changes to read.
 *
 * @param table the table's name at the last snapshot
 * @param from the first snapshot whose changes are wanted
 * @param to the last one
 * @param columns names of top-level columns in the wanted order; empty for all
 * @param limit most changes to return; empty for all
 */
public record ChangeRequest(
    TableName table, Snapshot from, Snapshot to, List<String> columns, OptionalLong limit) {

  /** Copies the columns. */
  public ChangeRequest {
    columns = List.copyOf(columns);
  }

  /** All columns and changes. */
  public static ChangeRequest all(TableName table, Snapshot from, Snapshot to) {
    return new ChangeRequest(table, from, to, List.of(), OptionalLong.empty());
  }
}
