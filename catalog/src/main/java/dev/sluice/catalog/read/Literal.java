package dev.sluice.catalog.read;

import dev.sluice.catalog.ColumnType;

/**
 * A constant in a predicate: DuckDB's text of a value of the type, never NULL.
 *
 * @param type a scalar type; need not be the column's, e.g. an int64 compared with an int32 column
 * @param text the value's text, e.g. {@code 2024-01-02 03:04:05} for a timestamp
 */
public record Literal(ColumnType type, String text) {

  /** Refuses nested types, whose text has no order. */
  public Literal {
    if (type instanceof ColumnType.Nested) {
      throw new IllegalArgumentException(
          "a literal needs a scalar type, got %s".formatted(type.text()));
    }
  }
}
