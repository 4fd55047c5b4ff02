package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Scalar;

/** How values become the texts of {@link ScanRows}. */
final class RowTexts {

  private RowTexts() {}

  /** DuckDB's text of a blob shows printable bytes as they are; hex is one form for all. */
  static String of(Column column, String value) {
    return column.type() == Scalar.BLOB ? "hex(" + value + ")" : Sql.cast(value, "VARCHAR");
  }
}
