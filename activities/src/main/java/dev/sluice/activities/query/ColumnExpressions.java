package dev.sluice.activities.query;

import dev.sluice.activities.query.PhysicalField.Kind;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Nested;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * SQL that turns what a file holds into a table's column: fields found by id or name at every
 * level, the initial default where there is none, casts to the current type (ducklake-format 12).
 */
final class ColumnExpressions {

  private final FieldFinder finder;
  private int variables;

  ColumnExpressions(FieldFinder finder) {
    this.finder = finder;
  }

  /**
   * The value of a table's column, read from the fields of {@code root} in relation {@code from}.
   */
  String topLevel(Column column, PhysicalField root, String from) {
    Optional<PhysicalField> field = finder.find(column, root);
    return field.isPresent()
        ? convert(column, field.get(), from + "." + Sql.identifier(field.get().name()))
        : missing(column);
  }

  /** What rows read that were written without the column. */
  static String missing(Column column) {
    String initial = column.initialDefault();
    return Sql.cast(initial == null ? "NULL" : Sql.literal(initial), SqlType.of(column));
  }

  private String convert(Column column, PhysicalField field, String value) {
    if (!(column.type() instanceof Nested nested)) {
      return Sql.cast(value, SqlType.of(column));
    }
    return switch (nested) {
      case STRUCT ->
          field.kind() == Kind.STRUCT ? struct(column, field, value) : plain(column, value);
      case LIST -> field.kind() == Kind.LIST ? list(column, field, value) : plain(column, value);
      case MAP -> field.kind() == Kind.MAP ? map(column, field, value) : plain(column, value);
    };
  }

  /** Kinds that do not fit each other: DuckDB's own cast decides, or names both types. */
  private static String plain(Column column, String value) {
    return Sql.cast(value, SqlType.of(column));
  }

  private String struct(Column column, PhysicalField field, String value) {
    String fields =
        column.children().stream()
            .map(child -> Sql.identifier(child.name()) + " := " + member(child, field, value))
            .collect(Collectors.joining(", "));
    return "CASE WHEN %s IS NOT NULL THEN struct_pack(%s) END".formatted(value, fields);
  }

  private String member(Column child, PhysicalField parent, String value) {
    Optional<PhysicalField> field = finder.find(child, parent);
    return field.isPresent()
        ? convert(
            child,
            field.get(),
            "struct_extract(%s, %s)".formatted(value, Sql.literal(field.get().name())))
        : missing(child);
  }

  private String list(Column column, PhysicalField field, String value) {
    String variable = "v" + variables++;
    return "list_transform(%s, lambda %s: %s)"
        .formatted(
            value, variable, convert(column.children().get(0), field.children().get(0), variable));
  }

  private String map(Column column, PhysicalField field, String value) {
    String variable = "v" + variables++;
    String key = convert(column.children().get(0), field.children().get(0), variable + ".\"key\"");
    String item =
        convert(column.children().get(1), field.children().get(1), variable + ".\"value\"");
    return ("CASE WHEN %s IS NOT NULL THEN map_from_entries(list_transform(map_entries(%s), lambda"
            + " %s: struct_pack(\"key\" := %s, \"value\" := %s))) END")
        .formatted(value, value, variable, key, item);
  }
}
