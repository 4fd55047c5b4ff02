package dev.sluice.activities.delta;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checkpoint files, as queries whose rows DuckDB writes. */
public final class DeltaCheckpoints {

  private static final String PROTOCOL =
      "STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER, readerFeatures VARCHAR[],"
          + " writerFeatures VARCHAR[])";
  private static final String METADATA =
      "STRUCT(id VARCHAR, \"name\" VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR,"
          + " options MAP(VARCHAR, VARCHAR)), schemaString VARCHAR, partitionColumns VARCHAR[],"
          + " createdTime BIGINT, configuration MAP(VARCHAR, VARCHAR))";
  private static final String ADD =
      "STRUCT(path VARCHAR, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, modificationTime"
          + " BIGINT, dataChange BOOLEAN, stats VARCHAR)";
  private static final String SIDECAR =
      "STRUCT(path VARCHAR, sizeInBytes BIGINT, modificationTime BIGINT)";
  private static final String CHECKPOINT = "STRUCT(version BIGINT)";
  private static final long SOME_SIZE = 1000;

  private final List<String> rows = new ArrayList<>();

  /** The table's protocol and metadata. */
  public DeltaCheckpoints table(String schema, String... features) {
    String list =
        features.length == 0 ? "NULL" : "['" + String.join("', '", List.of(features)) + "']";
    int reader = features.length == 0 ? 1 : 3;
    int writer = features.length == 0 ? 2 : 7;
    row("(%d, %d, %s, %s)".formatted(reader, writer, list, list), null, null, null, null);
    row(
        null,
        "('%s', NULL, NULL, ('parquet', MAP {}), '%s', [], 1700000000000, MAP {})"
            .formatted(DeltaActions.TABLE_ID, schema),
        null,
        null,
        null);
    return this;
  }

  /** A live file that nobody opens. */
  public DeltaCheckpoints add(String path, long rowCount) {
    return add(path, rowCount, SOME_SIZE);
  }

  /** A live file. */
  public DeltaCheckpoints add(String path, long rowCount, long sizeBytes) {
    row(
        null,
        null,
        "('%s', MAP {}, %d, 1700000000000, false, '{\"numRecords\":%d}')"
            .formatted(path, sizeBytes, rowCount),
        null,
        null);
    return this;
  }

  /** The version of a V2 checkpoint. */
  public DeltaCheckpoints version(long version) {
    row(null, null, null, null, "(" + version + ")");
    return this;
  }

  /** A file with more entries, in the log's folder for them. */
  public DeltaCheckpoints sidecar(String name, long sizeBytes) {
    row(null, null, null, "('%s', %d, 1700000000000)".formatted(name, sizeBytes), null);
    return this;
  }

  private void row(
      @Nullable String protocol,
      @Nullable String metadata,
      @Nullable String add,
      @Nullable String sidecar,
      @Nullable String version) {
    rows.add(
        "SELECT %s AS protocol, %s AS \"metaData\", %s AS \"add\", %s AS sidecar, %s AS \"checkpointMetadata\""
            .formatted(
                cast(protocol, PROTOCOL),
                cast(metadata, METADATA),
                cast(add, ADD),
                cast(sidecar, SIDECAR),
                cast(version, CHECKPOINT)));
  }

  private static String cast(@Nullable String value, String type) {
    return "CAST(%s AS %s)".formatted(value == null ? "NULL" : "ROW" + value, type);
  }

  /** The query for {@link DeltaFolder#parquet(String, String)}. */
  @Override
  public String toString() {
    return String.join(" UNION ALL ", rows);
  }
}
