package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.Partitioning;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.NameMap;
import dev.sluice.catalog.read.ScanFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A file table in the form in which scans of catalogs are read, so that both are read by the same
 * code. Not thread-safe.
 */
final class FileTablePlan {

  /** Every deleted position applies, whatever snapshot its delete file tells. */
  static final long SNAPSHOT = Long.MAX_VALUE;

  private static final UUID NO_UUID = new UUID(0, 0);

  private final FileTable table;
  private final Map<String, Map<String, Optional<String>>> values = new HashMap<>();
  private final Map<String, TableFile.DeletedRows> deletedRows = new HashMap<>();
  private final Map<MapKey, NameMap> nameMaps = new HashMap<>();

  /** What makes a name map: files that share it are read by one SELECT. */
  private record MapKey(FileMapping.ByName mapping, Set<String> values) {}

  FileTablePlan(FileTable table) {
    this.table = table;
    table.files().stream()
        .filter(file -> !file.values().isEmpty())
        .forEach(file -> values.put(file.path(), file.values()));
    table.files().stream()
        .filter(file -> !file.deletedRows().isEmpty())
        .forEach(file -> deletedRows.put(file.path(), file.deletedRows()));
  }

  /** The table as scans know one. */
  Table table() {
    return new Table(
        0, NO_UUID, new TableName("files", "t"), "", table.columns(), Partitioning.none());
  }

  /** Values beside the files, else what the paths tell. */
  PathTexts pathTexts() {
    return (file, column, key) -> {
      Optional<String> given = values.getOrDefault(file.path(), Map.of()).get(column.name());
      return given == null ? PathTexts.OF_THE_PATH.text(file, column, key) : given;
    };
  }

  /** The files in batches of at most so many bytes. */
  List<List<TableFile>> batches(long bytes) {
    return ScanBatches.of(
        table.files(),
        file ->
            file.sizeBytes()
                + file.deleteFiles().stream().mapToLong(TableFile.DeleteFile::sizeBytes).sum(),
        bytes);
  }

  /** Deleted rows beside the delete files. */
  DeletedPositions deletedPositions() {
    return new DeletedPositions() {
      @Override
      public boolean any(ScanFile file) {
        return deletedRows.containsKey(file.path());
      }

      @Override
      public LongStream of(ScanFile file) {
        TableFile.DeletedRows deleted = deletedRows.get(file.path());
        return deleted == null ? LongStream.empty() : deleted.positions();
      }
    };
  }

  /** Files as scans know them, but for {@link #deletedPositions}. */
  List<ScanFile> scanFiles(List<TableFile> files) {
    return files.stream().map(this::scanFile).toList();
  }

  private ScanFile scanFile(TableFile file) {
    return new ScanFile(
        0,
        file.path(),
        file.rows(),
        file.sizeBytes(),
        null,
        null,
        0,
        null,
        nameMap(file),
        null,
        List.of(),
        file.deleteFiles().stream()
            .map(
                delete ->
                    new ScanFile.DeleteFile(
                        0, 0, delete.path(), delete.positions(), delete.sizeBytes(), null))
            .toList(),
        List.of());
  }

  private @Nullable NameMap nameMap(TableFile file) {
    return switch (file.mapping()) {
      case FileMapping.ByFieldId byId -> null;
      case FileMapping.ByName byName ->
          nameMaps.computeIfAbsent(
              new MapKey(byName, file.values().keySet()),
              key -> new NameMap(nameMaps.size(), entries(file, byName)));
    };
  }

  private List<NameMap.Entry> entries(TableFile file, FileMapping.ByName mapping) {
    List<NameMap.Entry> entries = new ArrayList<>();
    Set<String> given = new HashSet<>(file.values().keySet());
    for (Column column : table.columns()) {
      if (given.remove(column.name())) {
        entries.add(new NameMap.Entry(column.name(), column.id(), Origin.PATH, List.of()));
      }
    }
    if (!given.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: values are given for %s, but the columns are %s"
              .formatted(file.path(), given, table.columns().stream().map(Column::name).toList()));
    }
    for (MappedField field : mapping.fields()) {
      if (!file.values().containsKey(field.targetName())) {
        entries.add(entry(field, table.columns(), file.path()));
      }
    }
    return entries;
  }

  private static NameMap.Entry entry(MappedField field, List<Column> columns, String path) {
    Column column =
        columns.stream()
            .filter(each -> each.name().equals(field.targetName()))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "%s: its mapping names column %s, but the columns are %s"
                            .formatted(
                                path,
                                field.targetName(),
                                columns.stream().map(Column::name).toList())));
    return new NameMap.Entry(
        field.sourceName(),
        column.id(),
        field.origin(),
        field.children().stream().map(child -> entry(child, column.children(), path)).toList());
  }
}
