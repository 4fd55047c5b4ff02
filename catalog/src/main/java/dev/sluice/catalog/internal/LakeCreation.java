package dev.sluice.catalog.internal;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_METADATA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT_CHANGES;
import static dev.sluice.catalog.internal.jooq.sluice.Tables.COMMIT_LOG;
import static dev.sluice.catalog.internal.jooq.sluice.Tables.FENCE;
import static dev.sluice.catalog.internal.jooq.sluice.Tables.LANDING_FILE;
import static dev.sluice.catalog.internal.jooq.sluice.Tables.PIN;
import static dev.sluice.catalog.internal.jooq.sluice.Tables.PUBLICATION;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.name;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/** Writes the tables and first rows of a lake of format 1.0 (ducklake-format 1.8). */
public final class LakeCreation {

  /** Stored as the catalog's author; informational. */
  private static final String CREATED_BY = "Sluice";

  private static final String DDL = "/dev/sluice/catalog/ducklake-1.0.sql";

  /**
   * Columns that planning and committing look rows up by. DuckDB neither needs nor minds them; each
   * costs a little at every commit, so there is none that no query of ours uses.
   *
   * <p>Statistics have ten and more rows a file, and keeping them in order by table and column is a
   * third of what a publication of many files costs PostgreSQL. A block range index costs next to
   * nothing, but without statistics of its own PostgreSQL reads the whole table instead, ranges are
   * only summed up when the table is vacuumed, and where many small commits take turns every range
   * holds every table.
   *
   * <p>Paths are ordered by their bytes, so that what lies below a folder is one range whatever the
   * database's language.
   */
  private static final List<Index> INDEXES =
      List.of(
          new Index("data_file_table_id", "data_file", "table_id"),
          new Index("data_file_path_text_pattern_ops", "data_file", "path text_pattern_ops"),
          new Index("delete_file_table_id", "delete_file", "table_id"),
          new Index("delete_file_data_file_id", "delete_file", "data_file_id"),
          new Index("file_column_stats_column", "file_column_stats", "table_id, column_id"),
          new Index("file_partition_value_table_id", "file_partition_value", "table_id"),
          new Index("column_table_id", "column", "table_id"),
          new Index("column_mapping_table_id", "column_mapping", "table_id"),
          new Index("name_mapping_mapping_id", "name_mapping", "mapping_id"),
          new Index("table_stats_table_id", "table_stats", "table_id"),
          new Index("table_column_stats_table_id", "table_column_stats", "table_id"),
          new Index("schema_versions_table_id", "schema_versions", "table_id"));

  /**
   * Of earlier versions: paths in the order of the database's language, which no query can use for
   * a folder, and block ranges of statistics.
   */
  private static final List<String> RETIRED_INDEXES =
      List.of("sluice_data_file_path", "sluice_file_column_stats_table_id_column_id");

  private LakeCreation() {}

  /** Makes the tables; the metadata schema is made when it is missing. */
  public static void createTables(DSLContext dsl, String metadataSchema) {
    dsl.createSchemaIfNotExists(name(metadataSchema)).execute();
    // SET LOCAL: for this transaction only, a pooler may give the session to somebody else next
    dsl.execute("SET LOCAL search_path TO " + quoted(metadataSchema));
    for (String statement : ddl().split(";", -1)) {
      if (!statement.isBlank()) {
        dsl.execute(statement);
      }
    }
  }

  /** Makes the indexes that are missing; harmless to repeat. */
  public static void createIndexes(DSLContext dsl, String metadataSchema) {
    for (String retired : RETIRED_INDEXES) {
      dsl.execute("DROP INDEX IF EXISTS %s.%s".formatted(quoted(metadataSchema), quoted(retired)));
    }
    for (Index index : INDEXES) {
      dsl.execute(
          "CREATE INDEX IF NOT EXISTS %s ON %s.%s (%s)"
              .formatted(
                  quoted("sluice_" + index.name()),
                  quoted(metadataSchema),
                  quoted("ducklake_" + index.table()),
                  index.columns()));
    }
  }

  /** An index by its name and its table's, without what all have in front. */
  private record Index(String name, String table, String columns) {}

  /**
   * Writes the first rows.
   *
   * @param dataPath with one slash at its end
   */
  public static void writeFirstRows(DSLContext dsl, String dataPath) {
    dsl.insertInto(DUCKLAKE_SNAPSHOT)
        .columns(DUCKLAKE_SNAPSHOT.fields())
        .values(0L, currentOffsetDateTime(), 0L, 1L, 0L)
        .execute();
    dsl.insertInto(
            DUCKLAKE_SNAPSHOT_CHANGES,
            DUCKLAKE_SNAPSHOT_CHANGES.SNAPSHOT_ID,
            DUCKLAKE_SNAPSHOT_CHANGES.CHANGES_MADE)
        .values(0L, "created_schema:\"main\"")
        .execute();
    dsl.insertInto(DUCKLAKE_METADATA, DUCKLAKE_METADATA.KEY, DUCKLAKE_METADATA.VALUE)
        .values("version", LakeFormat.SUPPORTED_VERSION)
        .values("created_by", CREATED_BY)
        .values("data_path", dataPath)
        .values("encrypted", "false")
        // a DuckDB that inlines small inserts would put rows where overwrites cannot see files
        .values("data_inlining_row_limit", "0")
        .execute();
    dsl.insertInto(
            DUCKLAKE_SCHEMA,
            DUCKLAKE_SCHEMA.SCHEMA_ID,
            DUCKLAKE_SCHEMA.SCHEMA_UUID,
            DUCKLAKE_SCHEMA.BEGIN_SNAPSHOT,
            DUCKLAKE_SCHEMA.SCHEMA_NAME,
            DUCKLAKE_SCHEMA.PATH,
            DUCKLAKE_SCHEMA.PATH_IS_RELATIVE)
        .values(0L, UUID.randomUUID(), 0L, "main", "main/", true)
        .execute();
  }

  /**
   * Removes what Sluice kept about a lake of the same name that is gone: its keys and snapshot ids
   * would be taken for those of the new one.
   */
  public static void forgetFormerLake(DSLContext dsl, String lake) {
    dsl.deleteFrom(COMMIT_LOG).where(COMMIT_LOG.LAKE.eq(lake)).execute();
    dsl.deleteFrom(PUBLICATION).where(PUBLICATION.LAKE.eq(lake)).execute();
    dsl.deleteFrom(FENCE).where(FENCE.LAKE.eq(lake)).execute();
    dsl.deleteFrom(LANDING_FILE).where(LANDING_FILE.LAKE.eq(lake)).execute();
    dsl.deleteFrom(PIN).where(PIN.LAKE.eq(lake)).execute();
  }

  private static String quoted(String identifier) {
    return "\"" + identifier.replace("\"", "\"\"") + "\"";
  }

  private static String ddl() {
    try (InputStream in = LakeCreation.class.getResourceAsStream(DDL)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + DDL);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
