package dev.sluice.workflows;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks for an earlier generation of a table to become its content again. Immutable.
 *
 * @param team the team that owns the table's source
 * @param sourceSchemaId the source that publishes to the table
 * @param lake configured name of the table's lake
 * @param schema schema of the table
 * @param table name of the table
 * @param generation token of the generation, as {@code ./sluice generations} shows it
 * @param key names this request: the same key is never carried out twice; null for one made of what
 *     is live when the request is first looked at
 */
public record RollbackRequest(
    long team,
    String sourceSchemaId,
    String lake,
    String schema,
    String table,
    String generation,
    @Nullable String key) {

  /** Checks presence. */
  public RollbackRequest {
    Objects.requireNonNull(sourceSchemaId, "sourceSchemaId");
    Objects.requireNonNull(lake, "lake");
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(generation, "generation");
  }
}
