package dev.sluice.activities.parquet;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.Nulls;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table's column as matching sees it, of a table that exists or of one to be made.
 *
 * @param id the column id; null for a table to be made
 * @param source how it is found in files
 */
record TargetColumn(
    String name,
    ColumnType type,
    Nulls nulls,
    @Nullable String initialDefault,
    @Nullable Long id,
    List<TargetColumn> children,
    Source source) {

  /** How a column is found in files. */
  sealed interface Source {

    /** By this name, without regard to case. */
    record Name(String name) implements Source {}

    /** By this field id; names mean nothing. */
    record FieldId(int id) implements Source {}
  }

  TargetColumn {
    children = List.copyOf(children);
  }

  static TargetColumn of(Column column) {
    return new TargetColumn(
        column.name(),
        column.type(),
        column.nulls(),
        column.initialDefault(),
        column.id(),
        column.children().stream().map(TargetColumn::of).toList(),
        new Source.Name(column.name()));
  }

  static TargetColumn of(ColumnSpec column) {
    return new TargetColumn(
        column.name(),
        column.type(),
        column.nulls(),
        column.initialDefault(),
        null,
        column.children().stream().map(TargetColumn::of).toList(),
        new Source.Name(column.name()));
  }

  /** A column whose files know it otherwise than the table does. */
  static TargetColumn of(SourceColumn column) {
    Integer id = column.fieldId();
    return new TargetColumn(
        column.name(),
        column.type(),
        Nulls.ALLOWED,
        null,
        null,
        column.children().stream().map(TargetColumn::of).toList(),
        id == null ? new Source.Name(column.sourceName()) : new Source.FieldId(id));
  }

  /** The ids of the column and everything in it. */
  Stream<Long> ids() {
    return Stream.concat(Stream.ofNullable(id), children.stream().flatMap(TargetColumn::ids));
  }

  /** The type for messages, nested types spelled out. */
  String typeText() {
    return type instanceof Nested nested
        ? nested.text()
            + children.stream()
                .map(
                    child ->
                        nested == Nested.STRUCT
                            ? child.name + " " + child.typeText()
                            : child.typeText())
                .collect(Collectors.joining(", ", "(", ")"))
        : type.text();
  }
}
