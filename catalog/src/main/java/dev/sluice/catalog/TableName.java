package dev.sluice.catalog;

/**
 * A table's qualified name. Compared exactly here; DuckDB resolves names without regard to case.
 */
public record TableName(String schema, String table) {

  /** Both parts must be non-empty. */
  public TableName {
    if (schema.isEmpty() || table.isEmpty()) {
      throw new IllegalArgumentException(
          "a table name needs a schema and a table, got '%s' and '%s'".formatted(schema, table));
    }
  }

  @Override
  public String toString() {
    return schema + "." + table;
  }
}
