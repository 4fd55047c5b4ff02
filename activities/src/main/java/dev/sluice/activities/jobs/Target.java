package dev.sluice.activities.jobs;

import java.util.Objects;

/**
 * A stable name in a lake.
 *
 * @param lake the lake's key: its metadata schema's name
 * @param schema the schema in the lake
 * @param table the table in the schema
 */
public record Target(String lake, String schema, String table) {

  /** Checks presence. */
  public Target {
    Objects.requireNonNull(lake, "lake");
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(table, "table");
  }

  @Override
  public String toString() {
    return "lake " + lake + ", table " + schema + "." + table;
  }
}
