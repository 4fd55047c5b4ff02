package dev.sluice.worker.config;

import java.util.Objects;

/**
 * One lake.
 *
 * @param name its name in the configuration
 * @param database the PostgreSQL database of its catalog
 * @param metadataSchema the schema of its metadata tables; the lake's key
 * @param storage where its files are
 */
public record LakeSettings(
    String name, DatabaseSettings database, String metadataSchema, StorageSettings storage) {
  /** The lake that the {@code DUCKLAKE_*} variables describe, and the default of every team. */
  public static final String MAIN = "main";

  /** The schema in which DuckDB keeps a lake's metadata unless told otherwise. */
  public static final String DEFAULT_METADATA_SCHEMA = "public";

  /** Checks presence. */
  public LakeSettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(database, "database");
    Objects.requireNonNull(metadataSchema, "metadataSchema");
    Objects.requireNonNull(storage, "storage");
  }
}
