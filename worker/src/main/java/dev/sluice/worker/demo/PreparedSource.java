package dev.sluice.worker.demo;

/**
 * A table upstream, as its folder's name tells.
 *
 * @param team the team that owns it
 * @param sourceType kind of the source; in lower case when only a folder's name is known
 * @param schemaId the source schema id, a UUID
 * @param table the table's name upstream
 */
record PreparedSource(long team, String sourceType, String schemaId, String table) {

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
