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

  private static final String LITERAL = "literal";

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
        spec.type() instanceof ColumnType.Nested ? "" : LITERAL,
        "duckdb");
  }

  ColumnRow renamed(String newName) {
    return with(newName, type, defaultValue, defaultValueType, nullsAllowed);
  }

  ColumnRow retyped(ColumnType newType) {
    return with(name, newType, defaultValue, defaultValueType, nullsAllowed);
  }

  ColumnRow withNulls(boolean allowed) {
    return with(name, type, defaultValue, defaultValueType, allowed);
  }

  /** What an insert gives the column from now on; null for NULL. */
  ColumnRow withDefault(@Nullable String constant) {
    return with(name, type, constant == null ? NO_DEFAULT : constant, LITERAL, nullsAllowed);
  }

  private ColumnRow with(
      String newName,
      ColumnType newType,
      @Nullable String newDefault,
      @Nullable String newDefaultType,
      boolean newNullsAllowed) {
    return new ColumnRow(
        id,
        parent,
        order,
        newName,
        newType,
        initialDefault,
        newDefault,
        newNullsAllowed,
        newDefaultType,
        defaultValueDialect);
  }

  boolean isLeaf() {
    return !(type instanceof ColumnType.Nested);
  }
}
