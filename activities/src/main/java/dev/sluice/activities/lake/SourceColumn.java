package dev.sluice.activities.lake;

/**
 * A column of the rows to write.
 *
 * @param name its name in the source
 * @param sql how it is named in the relation
 * @param type DuckDB's type of it
 */
record SourceColumn(String name, String sql, String type) {

  /** Whether it is text that stands for a value of whatever type. */
  boolean isText() {
    return type.equals("VARCHAR");
  }

  boolean isJson() {
    return type.equals("JSON");
  }
}
