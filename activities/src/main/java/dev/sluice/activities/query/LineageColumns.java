package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import java.util.List;
import java.util.Optional;

/**
 * What every row has besides the table's own columns (ducklake-format 6.3 and 8.5). Their ids are
 * those that the format keeps for the columns which carry them inside files.
 */
final class LineageColumns {

  /** Stays with a row through updates, merges and rewrites; NULL when its file does not tell. */
  static final Column ROW_ID = column(2_147_483_540L, "rowid");

  /** The snapshot that the row, as it is now, came with. */
  static final Column SNAPSHOT_ID = column(2_147_483_539L, "snapshot_id");

  private static final List<Column> ALL = List.of(ROW_ID, SNAPSHOT_ID);

  private LineageColumns() {}

  /** The one of that name, without regard to case. A table's own column of the name goes first. */
  static Optional<Column> find(String name) {
    return ALL.stream().filter(column -> column.name().equalsIgnoreCase(name)).findFirst();
  }

  static boolean contains(Column column) {
    return ALL.contains(column);
  }

  /** The field that carries the column's values in a file; empty when the catalog has them. */
  static Optional<PhysicalField> field(Column column, PhysicalField schema) {
    String name = "_ducklake_internal_" + (column.equals(ROW_ID) ? "row_id" : "snapshot_id");
    return schema.childById(column.id()).or(() -> schema.childByName(name));
  }

  private static Column column(long id, String name) {
    return new Column(id, name, Scalar.INT64, Nulls.ALLOWED, null, null, null, null, List.of());
  }
}
