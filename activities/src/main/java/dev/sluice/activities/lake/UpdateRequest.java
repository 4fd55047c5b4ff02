package dev.sluice.activities.lake;

import dev.sluice.catalog.TableName;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * New values for rows of a table.
 *
 * @param table the table
 * @param values by top-level column, an expression of DuckDB's over the row's old values
 * @param condition which rows
 * @param note stored with the snapshot
 */
public record UpdateRequest(
    TableName table, Map<String, String> values, RowCondition condition, CommitNote note) {

  /** Copies the values in their order. */
  public UpdateRequest {
    values = new LinkedHashMap<>(values);
  }

  /** Without a note. */
  public static UpdateRequest of(
      TableName table, Map<String, String> values, RowCondition condition) {
    return new UpdateRequest(table, values, condition, CommitNote.NONE);
  }
}
