package dev.sluice.activities.lake;

import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.query.Sql;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.Table;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of a query as data files of a table: field ids, one file per partition, sorted, cut
 * at the target size. DuckDB's COPY writes them, streaming, beside the table's folder or on the way
 * to it; then they become objects. For one thread at a time.
 */
final class TableWriter {

  /** Hides the latency of single requests; each sends one file. */
  private static final int UPLOADS = 8;

  static final String STAGING = ".sluice-write";

  private final String doing;
  private final WriteEngine engine;
  private final Table table;
  private final List<SortKey> sortOrder;
  private final CopyOptions options;
  private final NewObjects objects;
  private final PartitionColumns partitions;

  TableWriter(
      String doing,
      WriteEngine engine,
      Table table,
      List<SortKey> sortOrder,
      CopyOptions options,
      NewObjects objects) {
    this.doing = doing;
    this.engine = engine;
    this.table = table;
    this.sortOrder = options.sortOnInsert() ? List.copyOf(sortOrder) : List.of();
    this.options = options;
    this.objects = objects;
    this.partitions = new PartitionColumns(doing, table);
    StoredValues.requireWritable(doing, table.columns());
  }

  /** Whose ids the rows have. */
  enum RowIds {
    /** New ones, by their place in the file. */
    NEW,
    /** Their own, in a further column {@link FieldIds#ROW_ID} of the query. */
    KEPT
  }

  /**
   * Writes rows.
   *
   * @param rows a SELECT of all columns of the table by their names, in their types
   * @return the files; none when there are no rows
   * @throws SQLException whatever DuckDB cannot read, convert or write
   * @throws WriteException when a NOT NULL column has NULLs
   */
  List<NewDataFile> write(String rows, RowIds ids) throws SQLException {
    Path staging = staging();
    try {
      List<Copied> copied = new ArrayList<>();
      for (Copied each : engine.query(copy(rows, ids, staging), this::copied)) {
        if (each.rows() > 0) {
          requireNoNulls(each);
          copied.add(each);
        }
      }
      return store(copied);
    } finally {
      WriteEngine.remove(staging);
    }
  }

  /** On the lake's own disk where it has one, so that files need not be copied. */
  private Path staging() {
    Path parent =
        switch (objects.store().location()) {
          case StorageLocation.Local local -> local.directory().resolve(STAGING);
          case StorageLocation.S3 s3 -> engine.folder();
        };
    try {
      Files.createDirectories(parent);
    } catch (IOException e) {
      throw WriteErrors.folderUnusable(parent, e);
    }
    return parent.resolve(UUID.randomUUID().toString());
  }

  private String copy(String rows, RowIds ids, Path staging) throws SQLException {
    List<Column> columns = table.columns();
    String fieldIds =
        switch (ids) {
          case NEW -> FieldIds.of(columns);
          case KEPT -> FieldIds.withRowId(columns);
        };
    boolean partitioned = !partitions.keys().isEmpty();
    return "COPY (SELECT t.*%s FROM (%s) t%s) TO %s (%s, FIELD_IDS %s, FILENAME_PATTERN 'ducklake-{uuidv7}', RETURN_STATS, %s)"
        .formatted(
            partitions.select(engine),
            rows,
            order(),
            Sql.literal(staging.toString()),
            options.parquet(),
            fieldIds,
            partitioned
                ? "PARTITION_BY ("
                    + String.join(", ", partitions.names())
                    + "), WRITE_PARTITION_COLUMNS false"
                // DuckDB cannot cut files of a partitioned COPY
                : "FILE_SIZE_BYTES " + options.targetFileSize());
  }

  private String order() {
    return sortOrder.isEmpty()
        ? ""
        : sortOrder.stream().map(SortKey::sql).collect(Collectors.joining(", ", " ORDER BY ", ""));
  }

  /** A file that lies on this machine. */
  private record Copied(
      Path file,
      long rows,
      long bytes,
      long footerBytes,
      List<LeafStatistics> statistics,
      List<PartitionValue> partition) {}

  private Copied copied(ResultSet row) throws SQLException {
    Object keys = row.getObject("partition_keys");
    return new Copied(
        Path.of(row.getString("filename")),
        whole(row.getObject("count")),
        whole(row.getObject("file_size_bytes")),
        whole(row.getObject("footer_size_bytes")),
        WrittenStatistics.of(table.columns(), map(row.getObject("column_statistics"))),
        partitions.values(map(keys)));
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static long whole(Object value) {
    return value instanceof BigInteger big ? big.longValueExact() : ((Number) value).longValue();
  }

  /** The footer has counted them: looking at every value again would cost more. */
  private void requireNoNulls(Copied file) {
    for (Column column : table.columns()) {
      if (column.nulls() == Nulls.FORBIDDEN && StoredValues.isCounted(column)) {
        file.statistics().stream()
            .filter(leaf -> leaf.column().equals(List.of(column.name())))
            .map(LeafStatistics::nullCount)
            .filter(nulls -> nulls != null && nulls > 0)
            .findFirst()
            .ifPresent(
                nulls -> {
                  throw WriteErrors.nulls(doing, column, nulls);
                });
      }
    }
  }

  /**
   * Files of partitions lie where DuckDB puts its own: its compactor merges files of a partition
   * only where their folders are the same, and fails where they are not.
   */
  private String folder(Copied file) {
    if (partitions.keys().isEmpty()) {
      return NewObjects.DATA;
    }
    return options.hiveFolders() ? partitions.folders(file.partition()) : "";
  }

  private List<NewDataFile> store(List<Copied> copied) {
    List<NewDataFile> files = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    List<Integer> indexes = new ArrayList<>();
    for (Copied each : copied) {
      String key = objects.key(folder(each) + each.file().getFileName());
      keys.add(key);
      indexes.add(indexes.size());
      files.add(
          new NewDataFile(
              objects.store().uri(key),
              each.rows(),
              each.bytes(),
              each.footerBytes(),
              new FileMapping.ByFieldId(),
              each.partition(),
              each.statistics()));
    }
    try {
      Parallel.run(
          indexes,
          UPLOADS,
          i -> objects.store().take(copied.get(i).file(), keys.get(i)),
          (i, stored) -> {
            if (stored.sizeBytes() != copied.get(i).bytes()) {
              throw new IllegalStateException(
                  keys.get(i) + " was written with another size than reported");
            }
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw WriteErrors.interrupted(doing, e);
    }
    return files;
  }
}
