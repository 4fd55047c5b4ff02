package dev.sluice.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column as a request describes it: everything but the id, which the commit assigns.
 *
 * @param name the column's name, kept as given
 * @param type the type; children describe nested types
 * @param nulls whether NULL is allowed; children always allow it
 * @param initialDefault constant (text form) for rows that exist before the column does; null when
 *     they read as NULL. Also becomes the column's default
 * @param children struct fields in order, exactly one {@code element} for a list, {@code key} and
 *     {@code value} for a map, none for scalars
 */
public record ColumnSpec(
    String name,
    ColumnType type,
    Nulls nulls,
    @Nullable String initialDefault,
    List<ColumnSpec> children) {

  /** Copies the children. */
  public ColumnSpec {
    children = List.copyOf(children);
  }

  /** A nullable column without default and without children. */
  public static ColumnSpec of(String name, ColumnType type) {
    return new ColumnSpec(name, type, Nulls.ALLOWED, null, List.of());
  }

  /** A nullable nested column. */
  public static ColumnSpec nested(String name, ColumnType.Nested type, List<ColumnSpec> children) {
    return new ColumnSpec(name, type, Nulls.ALLOWED, null, children);
  }
}
