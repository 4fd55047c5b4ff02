package dev.sluice.workflows.activity;

import java.util.Objects;

/**
 * A generation that is the live content of its table.
 *
 * @param schema schema of the table
 * @param table name of the table
 * @param snapshotId the lake snapshot of the publication
 * @param rows rows of the generation
 * @param files data files of the generation
 * @param bytes size of those files
 */
public record LivePublication(
    String schema, String table, long snapshotId, long rows, long files, long bytes) {

  /** Checks presence. */
  public LivePublication {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(table, "table");
  }
}
