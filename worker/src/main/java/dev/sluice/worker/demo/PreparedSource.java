package dev.sluice.worker.demo;

import dev.sluice.workflows.activity.WorkflowPath;

/**
 * A table upstream, as its folder's name tells.
 *
 * @param team the team that owns it
 * @param sourceType kind of the source; in lower case when only a folder's name is known
 * @param schemaId the source schema id, a UUID
 * @param table the table's name upstream
 * @param path the way its generations take into the lake
 */
record PreparedSource(
    long team, String sourceType, String schemaId, String table, WorkflowPath path) {

  /** The same table as another team's, copied. */
  PreparedSource copiedFor(long otherTeam) {
    return new PreparedSource(otherTeam, sourceType, schemaId, table, WorkflowPath.COPY);
  }

  /** What one import of one source system brings together. */
  Owner owner() {
    return new Owner(team, sourceType);
  }

  /**
   * A source system of a team.
   *
   * @param team the team
   * @param sourceType the kind of the source
   */
  record Owner(long team, String sourceType) {}
}
