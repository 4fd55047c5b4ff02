package dev.sluice.worker.config;

import dev.sluice.workflows.naming.NamingPolicy;
import java.util.Objects;

/**
 * How tables and schemas are named where a team says nothing.
 *
 * @param policy how tables are named
 * @param importsPrefix what stands before the team's number in the schema of imports
 * @param modelingPrefix what stands before the team's number in the schema of models
 */
public record NamingSettings(NamingPolicy policy, String importsPrefix, String modelingPrefix) {

  /** Checks presence. */
  public NamingSettings {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(importsPrefix, "importsPrefix");
    Objects.requireNonNull(modelingPrefix, "modelingPrefix");
  }
}
