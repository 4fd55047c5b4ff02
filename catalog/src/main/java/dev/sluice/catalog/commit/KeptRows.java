package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILE_PARTITION_VALUE;
import static org.jooq.impl.DSL.any;

import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.commit.StoredFacts.StoredFile;
import dev.sluice.catalog.internal.LakePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the live row of a file that new content shares with the live one can stay open:
 * only when it says just what a row written now would say. Judged after the table's columns were
 * made those of the new content. Reads only; not thread-safe.
 */
final class KeptRows {

  private final NameMappings mappings;
  private final TableDraft table;
  private final Set<Long> deletedInCatalog = new HashSet<>();
  private final Map<Long, String> deleteFiles = new HashMap<>();
  private final Map<Long, List<@Nullable String>> partitionValues = new HashMap<>();

  KeptRows(
      DSLContext dsl,
      InlinedTables inlined,
      NameMappings mappings,
      TableDraft table,
      List<Long> fileIds) {
    this.mappings = mappings;
    this.table = table;
    if (fileIds.isEmpty()) {
      return;
    }
    Long[] ids = fileIds.toArray(new Long[0]);
    String base = table.identity().path();
    dsl.select(
            DUCKLAKE_DELETE_FILE.DATA_FILE_ID,
            DUCKLAKE_DELETE_FILE.PATH,
            DUCKLAKE_DELETE_FILE.PATH_IS_RELATIVE)
        .from(DUCKLAKE_DELETE_FILE)
        .where(DUCKLAKE_DELETE_FILE.DATA_FILE_ID.eq(any(ids)))
        .and(DUCKLAKE_DELETE_FILE.END_SNAPSHOT.isNull())
        .forEach(
            row ->
                deleteFiles.put(row.value1(), LakePath.resolve(base, row.value2(), row.value3())));
    deletedInCatalog.addAll(inlined.withDeletes(table, fileIds));
    dsl.select(
            DUCKLAKE_FILE_PARTITION_VALUE.DATA_FILE_ID,
            DUCKLAKE_FILE_PARTITION_VALUE.PARTITION_VALUE)
        .from(DUCKLAKE_FILE_PARTITION_VALUE)
        .where(DUCKLAKE_FILE_PARTITION_VALUE.DATA_FILE_ID.eq(any(ids)))
        .orderBy(
            DUCKLAKE_FILE_PARTITION_VALUE.DATA_FILE_ID,
            DUCKLAKE_FILE_PARTITION_VALUE.PARTITION_KEY_INDEX)
        .forEach(
            row ->
                partitionValues
                    .computeIfAbsent(row.value1(), id -> new ArrayList<>())
                    .add(row.value2()));
  }

  /** Whether what is deleted now is deleted in the new content as well. */
  private static boolean covers(NewDataFile.@Nullable Deletes deletes, @Nullable String live) {
    return live == null
        || (deletes != null && (live.equals(deletes.path()) || live.equals(deletes.supersedes())));
  }

  /** Whether that is a live delete file of any of the files. */
  boolean hasDeletes(String path) {
    return deleteFiles.containsValue(path);
  }

  /** Whether that is the live delete file of the file. */
  boolean hasDeletes(long fileId, String path) {
    return path.equals(deleteFiles.get(fileId));
  }

  /** Why the row cannot stay, to follow "and"; null when it can. */
  @Nullable String whyNot(NewDataFile file, StoredFile row) {
    String live = deleteFiles.get(row.fileId());
    if (deletedInCatalog.contains(row.fileId()) || !covers(file.deletes(), live)) {
      return "data file %d names it and rows of it are deleted".formatted(row.fileId());
    }
    if (row.recordCount() != file.recordCount() || row.fileSizeBytes() != file.fileSizeBytes()) {
      return "data file %d names it with %d rows in %d bytes, not %d rows in %d bytes"
          .formatted(
              row.fileId(),
              row.recordCount(),
              row.fileSizeBytes(),
              file.recordCount(),
              file.fileSizeBytes());
    }
    if (!mappings.maps(table, file.mapping(), row.mappingId())) {
      return "data file %d maps its columns otherwise".formatted(row.fileId());
    }
    Long spec = file.partitionValues().isEmpty() ? null : table.spec().id();
    boolean sameValues =
        partitionValues.getOrDefault(row.fileId(), List.of()).equals(FileRows.ordered(table, file));
    if (!Objects.equals(spec, row.partitionId()) || !sameValues) {
      return "data file %d has other partition values".formatted(row.fileId());
    }
    return null;
  }
}
