package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.Table;
import java.util.List;

/** Finds the columns that a request names. */
final class ScanColumns {

  private ScanColumns() {}

  /**
   * The columns in the wanted order.
   *
   * @param names empty for all of the table's own
   * @throws QueryException for a name that is not there
   */
  static List<ScanColumn> of(Table table, List<String> names) {
    List<Column> chosen =
        names.isEmpty()
            ? table.columns()
            : names.stream().map(name -> column(table, name)).toList();
    return chosen.stream()
        .map(column -> new ScanColumn(column.name(), column, SqlType.of(column)))
        .toList();
  }

  private static Column column(Table table, String name) {
    return table.columns().stream()
        .filter(column -> column.name().equalsIgnoreCase(name))
        .findFirst()
        .or(() -> LineageColumns.find(name))
        .orElseThrow(() -> QueryErrors.noColumn(table.name(), name, table.columns()));
  }
}
