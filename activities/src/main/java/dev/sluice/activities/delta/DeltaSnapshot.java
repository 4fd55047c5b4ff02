package dev.sluice.activities.delta;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One version of a Delta table. What is described here was read when the snapshot was made; {@link
 * #files()} reads the log each time. Immutable and thread-safe.
 */
public final class DeltaSnapshot {

  private final long version;
  private final Instant committedAt;
  private final Description description;
  private final DeltaSchema schema;
  private final Supplier<Stream<DeltaFile>> files;

  /** What the log's metadata says beside the columns. */
  record Description(
      String id,
      @Nullable String name,
      ColumnMapping mapping,
      boolean deletionVectors,
      Map<String, String> properties) {

    Description {
      properties = Map.copyOf(properties);
    }
  }

  DeltaSnapshot(
      long version,
      Instant committedAt,
      Description description,
      DeltaSchema schema,
      Supplier<Stream<DeltaFile>> files) {
    this.version = version;
    this.committedAt = committedAt;
    this.description = description;
    this.schema = schema;
    this.files = files;
  }

  /** The version, from 0. */
  public long version() {
    return version;
  }

  /** When the version was committed: the in-commit timestamp, or else the log file's own time. */
  public Instant committedAt() {
    return committedAt;
  }

  /** The table's id; another one at the same location is another table. */
  public String tableId() {
    return description.id();
  }

  /** The table's name, where its creator gave one. */
  public Optional<String> tableName() {
    return Optional.ofNullable(description.name());
  }

  /** The columns in the table's order, partition columns included; never empty. */
  public List<DeltaColumn> columns() {
    return schema.columns();
  }

  /** Columns and fields that {@link #columns()} lacks although the table has them, with why. */
  public List<LeftOutColumn> leftOut() {
    return schema.leftOut();
  }

  /** Logical names of the partition columns, in the order of partitioning. */
  public List<String> partitionColumns() {
    return schema.partitionColumns();
  }

  /** How the data files' columns are found. */
  public ColumnMapping columnMapping() {
    return description.mapping();
  }

  /** Whether files may have deletion vectors; each file says whether it has one. */
  public boolean usesDeletionVectors() {
    return description.deletionVectors();
  }

  /** The table's properties, as its metadata has them. */
  public Map<String, String> properties() {
    return description.properties();
  }

  /**
   * The live files, each once, in no particular order. The log is read as the stream is; memory
   * follows the file actions of the commits since the checkpoint, not the number of files. The
   * caller closes the stream; it stops within one object of the log when its thread is interrupted.
   *
   * @throws DeltaException (from the stream too) of kind LOG_BROKEN, BAD_FILE_ENTRY or INTERRUPTED
   */
  public Stream<DeltaFile> files() {
    return files.get();
  }
}
