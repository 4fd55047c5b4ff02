package dev.sluice.activities.jobs;

import java.util.Objects;

/**
 * One table upstream.
 *
 * @param team the team that owns it
 * @param schemaId the source schema id, normally a UUID; at most 100 characters
 */
public record SourceRef(long team, String schemaId) {

  /** Checks presence. */
  public SourceRef {
    Objects.requireNonNull(schemaId, "schemaId");
  }

  @Override
  public String toString() {
    return "team " + team + ", source " + schemaId;
  }
}
