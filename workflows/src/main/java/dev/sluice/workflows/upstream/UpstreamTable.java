package dev.sluice.workflows.upstream;

import java.util.Objects;

/**
 * A table an upstream import brings.
 *
 * @param table the table's normalized name
 * @param sourceSchemaId its id upstream, normally a UUID
 */
public record UpstreamTable(String table, String sourceSchemaId) {

  /** Checks presence. */
  public UpstreamTable {
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(sourceSchemaId, "sourceSchemaId");
  }
}
