package dev.sluice.catalog.read;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Table;
import java.util.List;
import java.util.Optional;

/**
 * A column that a predicate names.
 *
 * @param column the column
 * @param topLevel false for fields of a struct
 */
record ResolvedColumn(Column column, boolean topLevel) {

  /** Follows the path of names through structs; elements of lists and maps have no name. */
  static ResolvedColumn of(Table table, List<String> path) {
    List<Column> level = table.columns();
    Column found = null;
    for (String name : path) {
      if (found != null && found.type() != ColumnType.Nested.STRUCT) {
        throw ReadErrors.noColumn(table.name(), path, List.of(found));
      }
      List<Column> here = level;
      found = find(level, name).orElseThrow(() -> ReadErrors.noColumn(table.name(), path, here));
      level = found.children();
    }
    if (found == null) {
      throw ReadErrors.noColumn(table.name(), path, table.columns());
    }
    return new ResolvedColumn(found, path.size() == 1);
  }

  /** As {@link #of}, for a comparison with a literal. */
  static ResolvedColumn comparable(Table table, List<String> path) {
    ResolvedColumn resolved = of(table, path);
    if (resolved.isNested()) {
      throw ReadErrors.notComparable(table.name(), path, resolved.column());
    }
    return resolved;
  }

  boolean isNested() {
    return column.type() instanceof ColumnType.Nested;
  }

  private static Optional<Column> find(List<Column> columns, String name) {
    return columns.stream().filter(column -> column.name().equalsIgnoreCase(name)).findFirst();
  }
}
