package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Nested;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A field as DuckDB reads it from somewhere: a Parquet file, or an inlined table.
 *
 * @param name the name it is read by
 * @param fieldId the id in the file; empty when there is none
 * @param kind what it is
 * @param type the physical type, only to tell files apart; empty text for nested kinds
 * @param children fields of a struct, the element of a list, key and value of a map
 */
record PhysicalField(
    String name, OptionalLong fieldId, Kind kind, String type, List<PhysicalField> children) {

  PhysicalField {
    children = List.copyOf(children);
  }

  /** A column of an inlined table: its ids are the table's. */
  static PhysicalField of(Column column) {
    Kind kind =
        column.type() instanceof Nested nested
            ? switch (nested) {
              case STRUCT -> Kind.STRUCT;
              case LIST -> Kind.LIST;
              case MAP -> Kind.MAP;
            }
            : Kind.SCALAR;
    return new PhysicalField(
        column.name(),
        OptionalLong.of(column.id()),
        kind,
        kind == Kind.SCALAR ? column.type().text() : "",
        column.children().stream().map(PhysicalField::of).toList());
  }

  Optional<PhysicalField> childById(long id) {
    return children.stream()
        .filter(child -> child.fieldId().isPresent() && child.fieldId().getAsLong() == id)
        .findFirst();
  }

  /** The exact name wins over one that differs in case. */
  Optional<PhysicalField> childByName(String wanted) {
    return children.stream()
        .filter(child -> child.name().equals(wanted))
        .findFirst()
        .or(
            () ->
                children.stream()
                    .filter(child -> child.name().equalsIgnoreCase(wanted))
                    .findFirst());
  }

  boolean hasFieldIds() {
    return children.stream().anyMatch(child -> child.fieldId().isPresent());
  }

  enum Kind {
    SCALAR,
    STRUCT,
    LIST,
    MAP
  }
}
