package dev.sluice.catalog.read;

import dev.sluice.catalog.Column;
import java.util.List;
import java.util.Optional;

/**
 * Rows that a writer kept in the catalog instead of a file (ducklake-format 9).
 *
 * @param tableName the PostgreSQL table they came from
 * @param columns the top-level columns as of the schema version that the rows were written under;
 *     identity with the scan's table is by id
 * @param rows in row id order
 */
public record InlinedRows(String tableName, List<Column> columns, List<Row> rows) {

  /** Copies the lists. */
  public InlinedRows {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /**
   * One row.
   *
   * @param rowId the logical row id
   * @param snapshotId the snapshot that the row came with; in a plan of removed rows the one that
   *     removed it
   * @param values DuckDB's text of each value, castable to the column's type; empty for NULL
   */
  public record Row(long rowId, long snapshotId, List<Optional<String>> values) {
    /** Copies the values. */
    public Row {
      values = List.copyOf(values);
    }
  }
}
