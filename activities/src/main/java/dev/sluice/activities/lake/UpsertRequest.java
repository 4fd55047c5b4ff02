package dev.sluice.activities.lake;

import dev.sluice.catalog.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows to be found by their key: those that are there get the source's values, the others are
 * added. Columns that the source lacks keep their value, or get their default in a new row. A row
 * that has all those values already is left alone.
 *
 * @param table the table
 * @param source the rows, each key once, columns matched by name
 * @param keys the columns that tell rows apart; none may be NULL in the source
 * @param batchId makes a repeat a no-op, as for {@link InsertRequest}; null for none
 * @param note stored with the snapshot
 */
public record UpsertRequest(
    TableName table,
    RowSource source,
    List<String> keys,
    @Nullable String batchId,
    CommitNote note) {

  /** Copies the keys. */
  public UpsertRequest {
    keys = List.copyOf(keys);
  }

  /** Without a batch and a note. */
  public static UpsertRequest of(TableName table, RowSource source, List<String> keys) {
    return new UpsertRequest(table, source, keys, null, CommitNote.NONE);
  }
}
