package dev.sluice.embedded;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A lake to attach, as DuckDB's own extension opens it; attaching an empty database makes the lake.
 *
 * @param alias the name the lake gets in the session
 * @param database where its catalog lies
 * @param metadataSchema the catalog's PostgreSQL schema; null for the database's default one
 * @param dataPath where its files lie, e.g. {@code s3://bucket/lake/}; null to take the path that
 *     an existing lake has stored
 * @param options further ATTACH options with their SQL values, e.g. {@code DATA_INLINING_ROW_LIMIT}
 *     to {@code 0}
 */
public record DuckLakeAttachment(
    String alias,
    PostgresDatabase database,
    @Nullable String metadataSchema,
    @Nullable String dataPath,
    Map<String, String> options) {

  /** Copies the options. */
  public DuckLakeAttachment {
    options = Map.copyOf(options);
  }

  /** A lake under the alias {@code lake} with a data path and inlining switched off. */
  public static DuckLakeAttachment of(PostgresDatabase database, String dataPath) {
    return new DuckLakeAttachment(
        "lake", database, null, dataPath, Map.of("DATA_INLINING_ROW_LIMIT", "0"));
  }

  /** A lake under the alias {@code lake} that exists; its own stored data path is used. */
  public static DuckLakeAttachment existing(PostgresDatabase database) {
    return new DuckLakeAttachment("lake", database, null, null, Map.of());
  }

  /** This lake under another alias. */
  public DuckLakeAttachment as(String otherAlias) {
    return new DuckLakeAttachment(otherAlias, database, metadataSchema, dataPath, options);
  }

  /** This lake with its catalog in a schema of its own. */
  public DuckLakeAttachment inSchema(String schema) {
    return new DuckLakeAttachment(alias, database, schema, dataPath, options);
  }

  /** This lake with one more or another ATTACH option, its value as SQL text. */
  public DuckLakeAttachment with(String option, String sqlValue) {
    Map<String, String> all = new TreeMap<>(options);
    all.put(option, sqlValue);
    return new DuckLakeAttachment(alias, database, metadataSchema, dataPath, all);
  }

  /** This lake as DuckDB opens it by default: inserts of up to ten rows go into the catalog. */
  public DuckLakeAttachment withDefaultInlining() {
    Map<String, String> all = new TreeMap<>(options);
    all.remove("DATA_INLINING_ROW_LIMIT");
    return new DuckLakeAttachment(alias, database, metadataSchema, dataPath, all);
  }

  String attachStatement() {
    Map<String, String> all = new TreeMap<>(options);
    if (dataPath != null) {
      all.put("DATA_PATH", DuckDbEngine.literal(dataPath));
    }
    if (metadataSchema != null) {
      all.put("METADATA_SCHEMA", DuckDbEngine.literal(metadataSchema));
    }
    String listed =
        all.entrySet().stream()
            .map(option -> option.getKey() + " " + option.getValue())
            .collect(Collectors.joining(", "));
    return "ATTACH "
        + DuckDbEngine.literal("ducklake:postgres:" + database.libpq())
        + " AS "
        + DuckDbEngine.identifier(alias)
        + (listed.isEmpty() ? "" : " (" + listed + ")");
  }
}
