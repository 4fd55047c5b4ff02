package dev.sluice.workflows.naming;

import java.util.Locale;

/** Where a source's prepared folders lie in the upstream bucket. */
public final class SourceFolder {
  private SourceFolder() {}

  /**
   * Returns the source's folder, {@code team_<team>_<source type>_<source schema id>} in lower case
   * with dashes turned to underscores.
   */
  public static String path(long team, String sourceType, String sourceSchemaId) {
    return ("team_" + team + "_" + sourceType + "_" + sourceSchemaId)
        .toLowerCase(Locale.ROOT)
        .replace('-', '_');
  }
}
