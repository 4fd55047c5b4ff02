package dev.sluice.activities.query;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.Predicate;
import java.util.List;
import java.util.OptionalLong;

/**
 * What to read.
 *
 * @param table the table's name at the snapshot
 * @param snapshot the snapshot
 * @param columns names of top-level columns in the wanted order, {@code rowid} and {@code
 *     snapshot_id} among them unless the table has columns of its own by these names; empty for all
 *     of the table's own
 * @param predicate which rows
 * @param limit most rows to return; empty for all. Rows have no order
 */
public record ScanRequest(
    TableName table,
    Snapshot snapshot,
    List<String> columns,
    Predicate predicate,
    OptionalLong limit) {

  /** Copies the columns. */
  public ScanRequest {
    columns = List.copyOf(columns);
  }

  /** All columns and rows. */
  public static ScanRequest all(TableName table, Snapshot snapshot) {
    return new ScanRequest(table, snapshot, List.of(), Predicate.all(), OptionalLong.empty());
  }

  /** The same request for rows that match. */
  public ScanRequest where(Predicate newPredicate) {
    return new ScanRequest(table, snapshot, columns, newPredicate, limit);
  }

  /** The same request for some columns. */
  public ScanRequest select(List<String> newColumns) {
    return new ScanRequest(table, snapshot, newColumns, predicate, limit);
  }

  /** The same request for at most so many rows. */
  public ScanRequest limit(long rows) {
    return new ScanRequest(table, snapshot, columns, predicate, OptionalLong.of(rows));
  }
}
