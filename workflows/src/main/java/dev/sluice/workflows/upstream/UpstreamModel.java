package dev.sluice.workflows.upstream;

import java.util.Objects;

/**
 * A query that is materialized.
 *
 * @param savedQueryId its id, normally a UUID
 * @param queryName its normalized name
 * @param label what people call the model
 */
public record UpstreamModel(String savedQueryId, String queryName, String label) {

  /** Checks presence. */
  public UpstreamModel {
    Objects.requireNonNull(savedQueryId, "savedQueryId");
    Objects.requireNonNull(queryName, "queryName");
    Objects.requireNonNull(label, "label");
  }
}
