package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static org.jooq.impl.DSL.any;

import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import dev.sluice.catalog.commit.TableDraft.SpecKey;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Writes the rows of new data files and delete files, in bulk. Not thread-safe. */
final class FileRows {

  private static final List<String> DATA_FILE =
      List.of(
          "data_file_id",
          "table_id",
          "begin_snapshot",
          "path",
          "path_is_relative",
          "file_format",
          "record_count",
          "file_size_bytes",
          "footer_size",
          "row_id_start",
          "partition_id",
          "mapping_id");

  private static final List<String> DELETE_FILE =
      List.of(
          "delete_file_id",
          "table_id",
          "begin_snapshot",
          "data_file_id",
          "path",
          "path_is_relative",
          "format",
          "delete_count",
          "file_size_bytes",
          "footer_size");

  private static final List<String> FILE_COLUMN_STATS =
      List.of(
          "data_file_id",
          "table_id",
          "column_id",
          "column_size_bytes",
          "value_count",
          "null_count",
          "min_value",
          "max_value",
          "contains_nan",
          "extra_stats");

  private static final List<String> FILE_PARTITION_VALUE =
      List.of("data_file_id", "table_id", "partition_key_index", "partition_value");

  private final DSLContext dsl;
  private final Writes writes;
  private final String schema;
  private final IdAllocator ids;
  private final NameMappings mappings;

  FileRows(DSLContext dsl, Writes writes, String schema, IdAllocator ids, NameMappings mappings) {
    this.dsl = dsl;
    this.writes = writes;
    this.schema = schema;
    this.ids = ids;
    this.mappings = mappings;
  }

  /** Where a file's path ends up in its row. */
  private record RowPath(String path, boolean relative) {}

  private static RowPath rowPath(TableDraft table, String path) {
    String base = table.identity().path();
    return path.startsWith(base)
        ? new RowPath(path.substring(base.length()), true)
        : new RowPath(path, false);
  }

  /**
   * Writes the table's new data files with their statistics and partition values; their delete
   * files become new ones of the table.
   *
   * @param firstRowId row id of the first row of the first file
   * @return row id after the last row
   */
  long writeDataFiles(TableDraft table, long firstRowId) {
    List<NewDataFile> files = table.newFiles();
    if (files.isEmpty()) {
      return firstRowId;
    }
    mappings.prepare(table);
    long firstFileId = ids.fileId();
    for (int i = 1; i < files.size(); i++) {
      ids.fileId();
    }
    List<@Nullable Long> mappingIds =
        files.stream().map(file -> mappings.id(file.mapping())).toList();
    writes.rows(
        schema,
        "ducklake_data_file",
        DATA_FILE,
        files.size(),
        rows -> {
          long rowId = firstRowId;
          for (int i = 0; i < files.size(); i++) {
            NewDataFile file = files.get(i);
            RowPath path = rowPath(table, file.path());
            rows.add(
                firstFileId + i,
                table.id(),
                ids.snapshotId(),
                path.path(),
                path.relative(),
                "parquet",
                file.recordCount(),
                file.fileSizeBytes(),
                file.footerSize(),
                rowId,
                file.partitionValues().isEmpty() ? null : table.spec().id(),
                mappingIds.get(i));
            rowId += file.recordCount();
          }
        });
    writeStatistics(table, files, firstFileId);
    writePartitionValues(table, files, firstFileId);
    for (int i = 0; i < files.size(); i++) {
      NewDataFile.Deletes deletes = files.get(i).deletes();
      if (deletes != null) {
        table.newDeletes().add(NewDeleteFile.of(firstFileId + i, deletes));
      }
    }
    return firstRowId + files.stream().mapToLong(NewDataFile::recordCount).sum();
  }

  /**
   * Column by column, where files have the same ones: whoever plans a scan asks for few columns of
   * many files, and finds them side by side.
   */
  private void writeStatistics(TableDraft table, List<NewDataFile> files, long firstFileId) {
    int count = files.stream().mapToInt(file -> file.statistics().size()).sum();
    int most = files.stream().mapToInt(file -> file.statistics().size()).max().orElse(0);
    Map<List<String>, Long> known = new HashMap<>();
    List<long[]> leafIds = files.stream().map(file -> leafIds(table, file, known)).toList();
    writes.rows(
        schema,
        "ducklake_file_column_stats",
        FILE_COLUMN_STATS,
        count,
        rows -> {
          for (int nth = 0; nth < most; nth++) {
            for (int i = 0; i < files.size(); i++) {
              List<LeafStatistics> leaves = files.get(i).statistics();
              if (nth < leaves.size()) {
                addLeaf(rows, table, firstFileId + i, leafIds.get(i)[nth], leaves.get(nth));
              }
            }
          }
        });
  }

  /** The columns that a file's statistics are of, in their order. */
  private static long[] leafIds(TableDraft table, NewDataFile file, Map<List<String>, Long> known) {
    List<LeafStatistics> leaves = file.statistics();
    long[] ids = new long[leaves.size()];
    for (int nth = 0; nth < ids.length; nth++) {
      ids[nth] = known.computeIfAbsent(leaves.get(nth).column(), path -> leafId(table, path));
    }
    long[] sorted = ids.clone();
    Arrays.sort(sorted);
    for (int nth = 1; nth < sorted.length; nth++) {
      if (sorted[nth - 1] == sorted[nth]) {
        throw twice(table, file, leaves.get(indexOfLast(ids, sorted[nth])));
      }
    }
    return ids;
  }

  private static int indexOfLast(long[] ids, long id) {
    int nth = ids.length - 1;
    while (ids[nth] != id) {
      nth--;
    }
    return nth;
  }

  private static void addLeaf(
      Writes.RowSink rows, TableDraft table, long fileId, long leafId, LeafStatistics leaf) {
    boolean bounded = isStorable(leaf.min()) && isStorable(leaf.max());
    rows.add(
        fileId,
        table.id(),
        leafId,
        leaf.columnSizeBytes(),
        leaf.valueCount(),
        leaf.nullCount(),
        bounded ? leaf.min() : null,
        bounded ? leaf.max() : null,
        leaf.containsNan(),
        leaf.extraStats());
  }

  /** PostgreSQL cannot store a zero character; such a bound is unknown, and then both are. */
  private static boolean isStorable(@Nullable String bound) {
    return bound != null && bound.indexOf('\0') < 0;
  }

  private static RuntimeException twice(TableDraft table, NewDataFile file, LeafStatistics leaf) {
    return CatalogErrors.invalid(
        "table " + table.qualifiedName(),
        "file %s has statistics of column %s twice"
            .formatted(file.path(), String.join(".", leaf.column())),
        "DuckDB would read the file twice",
        "give one per leaf column");
  }

  private static Long leafId(TableDraft table, List<String> path) {
    ColumnRow column = table.columns().require(path);
    if (!column.isLeaf()) {
      throw CatalogErrors.invalid(
          "table " + table.qualifiedName(),
          "column %s cannot have statistics".formatted(String.join(".", path)),
          "it is nested, only its leaves have values",
          "give statistics per leaf");
    }
    return column.id();
  }

  private void writePartitionValues(TableDraft table, List<NewDataFile> files, long firstFileId) {
    int count = files.stream().mapToInt(file -> file.partitionValues().size()).sum();
    writes.rows(
        schema,
        "ducklake_file_partition_value",
        FILE_PARTITION_VALUE,
        count,
        rows -> {
          for (int i = 0; i < files.size(); i++) {
            List<@Nullable String> values = ordered(table, files.get(i));
            for (int key = 0; key < values.size(); key++) {
              rows.add(firstFileId + i, table.id(), key, values.get(key));
            }
          }
        });
  }

  /** A file has one value for every key of the spec, or none at all. */
  static List<@Nullable String> ordered(TableDraft table, NewDataFile file) {
    if (file.partitionValues().isEmpty()) {
      return List.of();
    }
    List<SpecKey> keys = table.spec().keys();
    List<@Nullable String> values = new ArrayList<>();
    for (SpecKey key : keys) {
      PartitionValue found =
          file.partitionValues().stream()
              .filter(value -> isOf(table, value, key))
              .findFirst()
              .orElseThrow(() -> partitionMismatch(table, file));
      if (!PartitionRange.holds(key.transform(), found.value())) {
        throw outOfRange(table, file, found);
      }
      values.add(found.value());
    }
    if (values.size() != file.partitionValues().size()) {
      throw partitionMismatch(table, file);
    }
    return values;
  }

  private static boolean isOf(TableDraft table, PartitionValue value, SpecKey key) {
    Optional<ColumnRow> column = table.columns().find(null, value.key().column());
    return column.isPresent()
        && column.get().id() == key.columnId()
        && value.key().transform().equals(key.transform());
  }

  private static RuntimeException outOfRange(
      TableDraft table, NewDataFile file, PartitionValue value) {
    return CatalogErrors.invalid(
        "table " + table.qualifiedName(),
        "file %s has partition value '%s' for %s(%s)"
            .formatted(
                file.path(), value.value(), value.key().transform().text(), value.key().column()),
        "that transform never yields it, and readers would skip the file",
        "compute the value again");
  }

  private static RuntimeException partitionMismatch(TableDraft table, NewDataFile file) {
    return CatalogErrors.invalid(
        "table " + table.qualifiedName(),
        "file %s does not fit the partitioning".formatted(file.path()),
        "it has %d partition values and the table %d keys, or they are of other columns"
            .formatted(file.partitionValues().size(), table.spec().keys().size()),
        "give exactly one value per key, or none at all");
  }

  /** Ends the live delete file of each data file and adds the new, cumulative one. */
  void writeDeleteFiles(TableDraft table) {
    List<NewDeleteFile> deletes = table.newDeletes();
    writes.first(
        dsl.update(DUCKLAKE_DELETE_FILE)
            .set(DUCKLAKE_DELETE_FILE.END_SNAPSHOT, ids.snapshotId())
            .where(
                DUCKLAKE_DELETE_FILE.DATA_FILE_ID.eq(
                    any(deletes.stream().map(NewDeleteFile::dataFileId).toArray(Long[]::new))))
            .and(DUCKLAKE_DELETE_FILE.END_SNAPSHOT.isNull()));
    List<Long> fileIds = deletes.stream().map(delete -> ids.fileId()).toList();
    writes.rows(
        schema,
        "ducklake_delete_file",
        DELETE_FILE,
        deletes.size(),
        rows -> {
          for (int i = 0; i < deletes.size(); i++) {
            NewDeleteFile delete = deletes.get(i);
            RowPath path = rowPath(table, delete.path());
            rows.add(
                fileIds.get(i),
                table.id(),
                ids.snapshotId(),
                delete.dataFileId(),
                path.path(),
                path.relative(),
                "parquet",
                delete.deleteCount(),
                delete.fileSizeBytes(),
                delete.footerSize());
          }
        });
  }
}
