package dev.sluice.catalog.commit;

import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Nulls;
import org.jspecify.annotations.Nullable;

/**
 * An open row of {@code ducklake_column}, with every attribute, so that a copy loses none.
 *
 * @param parent the parent column's id; null for a top-level column
 * @param initialDefault null when rows older than the column read as NULL
 */
record ColumnRow(
    long id,
    @Nullable Long parent,
    long order,
    String name,
    ColumnType type,
    @Nullable String initialDefault,
    @Nullable String defaultValue,
    boolean nullsAllowed,
    @Nullable String defaultValueType,
    @Nullable String defaultValueDialect) {

  /** How DuckDB spells that there is no default. */
  static final String NO_DEFAULT = "NULL";

  /**
   * A new column. DuckDB stores an initial default also in a table made now: it is what rows of
   * files that lack the column read as.
   */
  static ColumnRow of(long id, @Nullable Long parent, ColumnSpec spec) {
    return new ColumnRow(
        id,
        parent,
        id,
        spec.name(),
        spec.type(),
        spec.initialDefault(),
        spec.initialDefault() == null ? NO_DEFAULT : spec.initialDefault(),
        parent != null || spec.nulls() == Nulls.ALLOWED,
        spec.type() instanceof ColumnType.Nested ? "" : "literal",
        "duckdb");
  }

  ColumnRow renamed(String newName) {
    return new ColumnRow(
        id,
        parent,
        order,
        newName,
        type,
        initialDefault,
        defaultValue,
        nullsAllowed,
        defaultValueType,
        defaultValueDialect);
  }

  ColumnRow retyped(ColumnType newType) {
    return new ColumnRow(
        id,
        parent,
        order,
        name,
        newType,
        initialDefault,
        defaultValue,
        nullsAllowed,
        defaultValueType,
        defaultValueDialect);
  }

  ColumnRow nullable() {
    return new ColumnRow(
        id,
        parent,
        order,
        name,
        type,
        initialDefault,
        defaultValue,
        true,
        defaultValueType,
        defaultValueDialect);
  }

  boolean isLeaf() {
    return !(type instanceof ColumnType.Nested);
  }
}
