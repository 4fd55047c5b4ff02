package dev.sluice.worker.config;

import dev.sluice.workflows.naming.NamingPolicy;
import java.util.Objects;

/**
 * One team.
 *
 * @param id its number
 * @param lake the lake it publishes into
 * @param naming how its tables are named; must not change once it has tables
 * @param importsSchema schema of its imported tables
 * @param modelingSchema schema of its modeled tables
 */
public record TeamSettings(
    long id, String lake, NamingPolicy naming, String importsSchema, String modelingSchema) {

  /** Checks presence. */
  public TeamSettings {
    Objects.requireNonNull(lake, "lake");
    Objects.requireNonNull(naming, "naming");
    Objects.requireNonNull(importsSchema, "importsSchema");
    Objects.requireNonNull(modelingSchema, "modelingSchema");
  }
}
