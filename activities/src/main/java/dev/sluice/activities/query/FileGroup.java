package dev.sluice.activities.query;

import dev.sluice.catalog.read.NameMap;
import dev.sluice.catalog.read.ScanFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Files that one SELECT reads, because everything that shapes it is the same for them.
 *
 * @param key what is the same
 * @param files the files
 */
record FileGroup(Key key, List<ScanFile> files) {

  FileGroup {
    files = List.copyOf(files);
  }

  /** Groups files in order of their first member. */
  static List<FileGroup> of(
      List<ScanFile> files,
      Function<ScanFile, PhysicalField> schemas,
      DeletedPositions deletedPositions) {
    Map<Key, List<ScanFile>> groups = new LinkedHashMap<>();
    for (ScanFile file : files) {
      boolean deletes = !file.deleteFiles().isEmpty() || deletedPositions.any(file);
      groups
          .computeIfAbsent(Key.of(file, schemas.apply(file), deletes), key -> new ArrayList<>())
          .add(file);
    }
    return groups.entrySet().stream()
        .map(group -> new FileGroup(group.getKey(), group.getValue()))
        .toList();
  }

  /**
   * What shapes the SELECT.
   *
   * @param schema the files' schema
   * @param nameMap how columns are found; null when by field id
   * @param deletes whether rows are deleted
   * @param newerRows whether rows are newer than the snapshot
   */
  record Key(PhysicalField schema, @Nullable NameMap nameMap, boolean deletes, boolean newerRows) {

    private static Key of(ScanFile file, PhysicalField schema, boolean deletes) {
      return new Key(schema, file.nameMap(), deletes, file.newestRowSnapshot() != null);
    }

    // a plan's files share their name map object; comparing ids keeps grouping linear
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that
          && schema.equals(that.schema)
          && Objects.equals(mapId(), that.mapId())
          && deletes == that.deletes
          && newerRows == that.newerRows;
    }

    @Override
    public int hashCode() {
      return Objects.hash(schema, mapId(), deletes, newerRows);
    }

    private @Nullable Long mapId() {
      return nameMap == null ? null : nameMap.id();
    }
  }
}
