package dev.sluice.activities.lake;

import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What DuckDB's casts let pass inside nested values though it must not be written. */
final class NestedValues {

  private NestedValues() {}

  /**
   * The cast of a value to a nested column's type, failing where a number inside it is none that
   * the type has: DuckDB makes 1.5 a 2.
   */
  static String whole(Column column, String value) {
    String cast = Sql.cast(value, SqlType.of(column));
    Column fractions = withFractions(column);
    if (fractions.equals(column)) {
      return cast;
    }
    String type = SqlType.of(fractions);
    return "CASE WHEN %s IS DISTINCT FROM %s THEN error(%s || left(CAST(%s AS VARCHAR), 200)) ELSE %s END"
        .formatted(
            Sql.cast(cast, type),
            Sql.cast(value, type),
            Sql.literal("column " + column.name() + " takes whole numbers, not those of "),
            value,
            cast);
  }

  private static Column withFractions(Column column) {
    ColumnType type =
        column.type() instanceof Scalar scalar && scalar.isInteger()
            ? Scalar.FLOAT64
            : column.type();
    return new Column(
        column.id(),
        column.name(),
        type,
        column.nulls(),
        column.initialDefault(),
        column.defaultValue(),
        column.defaultValueType(),
        column.defaultValueDialect(),
        column.children().stream().map(NestedValues::withFractions).toList());
  }

  /**
   * SQL that is true where a map inside the value has a key twice, or NULL as a key. DuckDB takes
   * such maps from JSON and from files, and afterwards nobody can read the table any more.
   *
   * @return empty where the column holds no map
   */
  static Optional<String> brokenMaps(Column column, String value) {
    return broken(column, value, 0);
  }

  /** {@code depth} tells the lambdas' names apart. */
  private static Optional<String> broken(Column column, String value, int depth) {
    if (!(column.type() instanceof Nested nested)) {
      return Optional.empty();
    }
    List<String> any = new ArrayList<>();
    switch (nested) {
      case STRUCT ->
          column
              .children()
              .forEach(
                  field ->
                      broken(
                              field,
                              "struct_extract(%s, %s)".formatted(value, Sql.literal(field.name())),
                              depth)
                          .ifPresent(any::add));
      case LIST -> inList(column.children().get(0), value, depth).ifPresent(any::add);
      case MAP -> {
        any.add("len(list_distinct(map_keys(%s))) <> cardinality(%s)".formatted(value, value));
        inList(column.children().get(0), "map_keys(" + value + ")", depth).ifPresent(any::add);
        inList(column.children().get(1), "map_values(" + value + ")", depth).ifPresent(any::add);
      }
    }
    return any.stream()
        .map(one -> "coalesce(" + one + ", false)")
        .reduce((one, other) -> one + " OR " + other)
        .map(all -> "(" + all + ")");
  }

  private static Optional<String> inList(Column element, String list, int depth) {
    String name = "e" + depth;
    return broken(element, name, depth + 1)
        .map(any -> "len(list_filter(%s, lambda %s: %s)) > 0".formatted(list, name, any));
  }
}
