package dev.sluice.activities.lake;

import dev.sluice.catalog.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to add to a table.
 *
 * @param table the table
 * @param source the rows
 * @param columns the table's columns that the source's feed, by place; empty to match by name.
 *     Columns that get nothing get their default
 * @param batchId makes a repeat a no-op: a table takes rows of one batch id once, whatever the rows
 *     are; null when every call shall add
 * @param note stored with the snapshot
 */
public record InsertRequest(
    TableName table,
    RowSource source,
    List<String> columns,
    @Nullable String batchId,
    CommitNote note) {

  /** Copies the columns. */
  public InsertRequest {
    columns = List.copyOf(columns);
  }

  /** Columns by name, no batch, no note. */
  public static InsertRequest of(TableName table, RowSource source) {
    return new InsertRequest(table, source, List.of(), null, CommitNote.NONE);
  }

  /** The same as a batch that is taken once. */
  public InsertRequest asBatch(String id) {
    return new InsertRequest(table, source, columns, id, note);
  }

  /** The same with columns by place. */
  public InsertRequest into(List<String> names) {
    return new InsertRequest(table, source, names, batchId, note);
  }
}
