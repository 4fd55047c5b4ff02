package dev.sluice.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A live column of a table at one snapshot, with its nested children.
 *
 * @param id {@code column_id}, which is also the Parquet field id
 * @param name as stored; DuckDB matches names without regard to case
 * @param type the type; the children of a nested type are in {@code children}
 * @param nulls whether NULL is allowed
 * @param initialDefault constant (text form) for rows of files that lack the column; null when they
 *     read as NULL
 * @param defaultValue text of the current default; null when there is none
 * @param defaultValueType {@code literal} or {@code expression}; null when the row has none
 * @param defaultValueDialect dialect of the default; null when the row has none
 * @param children struct fields, the list's {@code element}, or the map's {@code key} and {@code
 *     value}; empty for scalars
 */
public record Column(
    long id,
    String name,
    ColumnType type,
    Nulls nulls,
    @Nullable String initialDefault,
    @Nullable String defaultValue,
    @Nullable String defaultValueType,
    @Nullable String defaultValueDialect,
    List<Column> children) {

  /** Copies the children. */
  public Column {
    children = List.copyOf(children);
  }

  /** The same column described without its id, as a request would name it. */
  public ColumnSpec spec() {
    return new ColumnSpec(
        name, type, nulls, initialDefault, children.stream().map(Column::spec).toList());
  }
}
