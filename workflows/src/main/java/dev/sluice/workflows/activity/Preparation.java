package dev.sluice.workflows.activity;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What prepare resolved.
 *
 * @param lake the lake that is published into
 * @param schema schema of the target
 * @param table name of the target
 * @param landingId the ledger's key for the generation's file list
 * @param files Parquet files in the prepared folder
 * @param bytes size of those files
 * @param restores snapshot of the earlier publication that a rollback brings back; null for a
 *     generation that is brought in
 */
public record Preparation(
    String lake,
    String schema,
    String table,
    String landingId,
    long files,
    long bytes,
    @Nullable Long restores) {

  /** Checks presence. */
  public Preparation {
    Objects.requireNonNull(lake, "lake");
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(landingId, "landingId");
  }

  /** What prepare resolved for a generation that is brought in. */
  public Preparation(
      String lake, String schema, String table, String landingId, long files, long bytes) {
    this(lake, schema, table, landingId, files, bytes, null);
  }
}
