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

  /** Id of the data file that holds the row; NULL when the catalog does. Not for users. */
  static final Column FILE_ID = column(2_147_483_000L, "file_id");

  /** The row's place in its data file, from 0; NULL when the catalog holds it. Not for users. */
  static final Column POSITION = column(2_147_483_001L, "position");

  private static final List<Column> SHOWN = List.of(ROW_ID, SNAPSHOT_ID);

  private static final List<Column> ALL = List.of(ROW_ID, SNAPSHOT_ID, FILE_ID, POSITION);

  private LineageColumns() {}

  /** The one of that name, without regard to case. A table's own column of the name goes first. */
  static Optional<Column> find(String name) {
    return SHOWN.stream().filter(column -> column.name().equalsIgnoreCase(name)).findFirst();
  }

  static boolean contains(Column column) {
    return ALL.contains(column);
  }

  /** The field that carries the column's values in a file; empty when the catalog has them. */
  static Optional<PhysicalField> field(Column column, PhysicalField schema) {
    if (!SHOWN.contains(column)) {
      return Optional.empty();
    }
    String name = "_ducklake_internal_" + (column.equals(ROW_ID) ? "row_id" : "snapshot_id");
    return schema.childById(column.id()).or(() -> schema.childByName(name));
  }

  private static Column column(long id, String name) {
    return new Column(id, name, Scalar.INT64, Nulls.ALLOWED, null, null, null, null, List.of());
  }
}
