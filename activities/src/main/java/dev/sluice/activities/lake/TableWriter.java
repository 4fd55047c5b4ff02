package dev.sluice.activities.lake;

import dev.sluice.activities.lake.PartitionedRows.Partition;
import dev.sluice.activities.lake.WriteEngine.RowReader;
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
 * Writes rows of a query as data files of a table: field ids, each of one partition, sorted, cut at
 * the target size. DuckDB's COPY writes them, one after the other, beside the table's folder or on
 * the way to it; then they become objects. For one thread at a time.
 *
 * <p>DuckDB 1.5 refuses a target size together with PARTITION_BY, writes partitions out of order
 * and buffers rows for each of them. So every partition gets a COPY of its own.
 */
final class TableWriter {

  /** Hides the latency of single requests; each sends one file. */
  private static final int UPLOADS = 8;

  static final String STAGING = ".sluice-write";

  private static final String NUMBER = "__sluice_number";

  private final String doing;
  private final WriteEngine engine;
  private final Table table;
  private final String order;
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
    this.order = options.sortOnInsert() ? sorted(sortOrder) : "";
    this.options = options;
    this.objects = objects;
    this.partitions = new PartitionColumns(doing, table);
    StoredValues.requireWritable(doing, table.columns());
  }

  private static String sorted(List<SortKey> sortOrder) {
    return sortOrder.stream().map(SortKey::sql).collect(Collectors.joining(", "));
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
      return store(
          partitions.keys().isEmpty()
              ? copy(
                  order.isEmpty() ? rows : "FROM (" + rows + ") t ORDER BY " + order,
                  ids,
                  staging,
                  List.of())
              : partitioned(rows, ids, staging));
    } finally {
      WriteEngine.remove(staging);
    }
  }

  private List<Copied> partitioned(String rows, RowIds ids, Path staging) throws SQLException {
    List<Copied> copied = new ArrayList<>();
    try (PartitionedRows staged = PartitionedRows.stage(engine, partitions, rows, order)) {
      for (Partition each : staged.partitions()) {
        Path folder = made(staging).resolve(Long.toString(each.first()));
        copied.addAll(copy(staged.select(each), ids, folder, each.values()));
      }
    }
    return copied;
  }

  /** On the lake's own disk where it has one, so that files need not be copied. */
  private Path staging() {
    Path parent =
        switch (objects.store().location()) {
          case StorageLocation.Local local -> local.directory().resolve(STAGING);
          case StorageLocation.S3 s3 -> engine.folder();
        };
    return made(parent).resolve(UUID.randomUUID().toString());
  }

  private static Path made(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw WriteErrors.folderUnusable(folder, e);
    }
  }

  /** Writes rows in the order they come in, if the table has one. */
  private List<Copied> copy(String rows, RowIds ids, Path folder, List<PartitionValue> partition)
      throws SQLException {
    String fieldIds =
        switch (ids) {
          case NEW -> FieldIds.of(table.columns());
          case KEPT -> FieldIds.withRowId(table.columns());
        };
    String sql =
        "COPY (%s) TO %s (%s, FIELD_IDS %s, FILENAME_PATTERN 'ducklake-{uuidv7}', RETURN_STATS, FILE_SIZE_BYTES %s)"
            .formatted(
                order.isEmpty() ? selected(ids, rows) : selected(ids, oneAfterTheOther(rows)),
                Sql.literal(folder.toString()),
                options.parquet(),
                fieldIds,
                options.targetFileSize());
    List<Copied> copied = new ArrayList<>();
    for (Copied each : run(sql, folder, partition)) {
      if (each.rows() > 0) {
        requireNoNulls(each);
        copied.add(each);
      }
    }
    return copied;
  }

  private List<Copied> run(String copy, Path folder, List<PartitionValue> partition)
      throws SQLException {
    RowReader<Copied> reader = row -> copied(row, partition);
    return switch (objects.store().location()) {
      case StorageLocation.Local local ->
          EarlyForce.during(folder, () -> engine.query(copy, reader));
      case StorageLocation.S3 s3 -> engine.query(copy, reader);
    };
  }

  private String selected(RowIds ids, String rows) {
    List<String> names = new ArrayList<>(table.columns().stream().map(Column::name).toList());
    switch (ids) {
      case NEW -> {}
      case KEPT -> names.add(FieldIds.ROW_ID);
    }
    return names.stream()
        .map(name -> "n." + Sql.identifier(name))
        .collect(Collectors.joining(", ", "SELECT ", " FROM (" + rows + ") n"));
  }

  /**
   * Each of DuckDB's threads writes row groups of its own, in whatever order they get full. Rows
   * that are to be numbered stay with one thread; only numbers that are needed are given.
   */
  private static String oneAfterTheOther(String rows) {
    return "SELECT * FROM (SELECT *, row_number() OVER () AS %s FROM (%s)) WHERE %s > 0"
        .formatted(NUMBER, rows, NUMBER);
  }

  /** A file that lies on this machine. */
  private record Copied(
      Path file,
      long rows,
      long bytes,
      long footerBytes,
      List<LeafStatistics> statistics,
      List<PartitionValue> partition) {}

  private Copied copied(ResultSet row, List<PartitionValue> partition) throws SQLException {
    return new Copied(
        Path.of(row.getString("filename")),
        whole(row.getObject("count")),
        whole(row.getObject("file_size_bytes")),
        whole(row.getObject("footer_size_bytes")),
        WrittenStatistics.of(table.columns(), map(row.getObject("column_statistics"))),
        partition);
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
