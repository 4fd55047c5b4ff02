package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILES_SCHEDULED_FOR_DELETION;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.LakeInfo;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.internal.LakePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** What is live in a table, and which objects the catalog owns already. Reads only. */
final class LiveContent {

  private final DSLContext dsl;
  private final LakeInfo lake;
  private final LayoutCache cache;
  private final InlinedTables inlined;
  private final NameMappings mappings;
  private final Set<String> named = new HashSet<>();

  LiveContent(DSLContext dsl, LakeDraft draft, InlinedTables inlined, NameMappings mappings) {
    this.dsl = dsl;
    this.lake = draft.lake();
    this.cache = draft.cache();
    this.inlined = inlined;
    this.mappings = mappings;
  }

  /** New content split into files whose live rows stay open and files to be added. */
  record Split(List<Long> kept, long keptRows, List<NewDataFile> added) {
    Split {
      kept = List.copyOf(kept);
      added = List.copyOf(added);
    }
  }

  private record Owner(
      long fileId,
      long tableId,
      boolean live,
      long recordCount,
      long fileSizeBytes,
      @Nullable Long mappingId,
      @Nullable Long partitionId) {

    KeptRows.Facts facts() {
      return new KeptRows.Facts(fileId, recordCount, fileSizeBytes, mappingId, partitionId);
    }
  }

  /**
   * Looks for what others did to the table since we last replaced its content.
   *
   * @return what a replacement drops by policy, in words; null when there is nothing
   */
  @Nullable String checkForeign(TableDraft table, ForeignContent policy) {
    Optional<String> found = new ForeignChanges(dsl, lake.key(), inlined).find(table);
    return switch (policy) {
      case REPLACE -> found.orElse(null);
      case REFUSE -> {
        if (found.isPresent()) {
          throw CatalogErrors.foreignContent(table.qualifiedName().toString(), found.get());
        }
        yield null;
      }
    };
  }

  /** Refuses files whose object any row or scheduled deletion names. */
  void requireUnowned(TableDraft table, List<NewDataFile> files) {
    requireDistinct(table, files);
    owners(table, files)
        .forEach(
            (path, owner) -> {
              throw taken(table, path, owner);
            });
    requireNotScheduled(table, files);
  }

  /**
   * Splits new content. A live file of this table keeps its row when the row says just what a new
   * one would. Any other owner of a path refuses it, and all such paths are named: re-adding an
   * ended path would let expiry delete the live object, and a row that reads otherwise, or lacks
   * rows, is not the file's content.
   */
  Split split(TableDraft table, List<NewDataFile> files) {
    requireDistinct(table, files);
    Map<String, Owner> owners = owners(table, files);
    Map<String, String> refused = new LinkedHashMap<>(scheduled(files));
    KeptRows rows = new KeptRows(dsl, inlined, mappings, table, ids(owners));
    List<Long> kept = new ArrayList<>();
    List<NewDataFile> added = new ArrayList<>();
    long keptRows = 0;
    for (NewDataFile file : files) {
      Owner owner = owners.get(file.path());
      if (owner == null) {
        added.add(file);
        continue;
      }
      String why =
          owner.live() && owner.tableId() == table.id()
              ? rows.whyNot(file, owner.facts())
              : whose(owner);
      if (why != null) {
        refused.putIfAbsent(file.path(), why);
      }
      kept.add(owner.fileId());
      keptRows += owner.recordCount();
    }
    if (!refused.isEmpty()) {
      Map.Entry<String, String> first = refused.entrySet().iterator().next();
      throw CatalogErrors.pathsTaken(
          table.qualifiedName().toString(),
          first.getKey(),
          first.getValue(),
          List.copyOf(refused.keySet()));
    }
    return new Split(kept, keptRows, added);
  }

  private static List<Long> ids(Map<String, Owner> owners) {
    return owners.values().stream().map(Owner::fileId).toList();
  }

  /**
   * Refuses delete files that are not one more delete of a live data file of the table: each holds
   * all positions, so it has at least as many as what it supersedes, and at most the file's rows.
   */
  void requireLive(TableDraft table, List<NewDeleteFile> deletes) {
    Set<Long> dataFiles = new HashSet<>();
    table.newDeletes().forEach(earlier -> dataFiles.add(earlier.dataFileId()));
    for (NewDeleteFile delete : deletes) {
      if (!dataFiles.add(delete.dataFileId())) {
        throw refusedDelete(
            table, delete, "this request has two for data file " + delete.dataFileId());
      }
      Long rows =
          dsl.select(DUCKLAKE_DATA_FILE.RECORD_COUNT)
              .from(DUCKLAKE_DATA_FILE)
              .where(DUCKLAKE_DATA_FILE.DATA_FILE_ID.eq(delete.dataFileId()))
              .and(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
              .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
              .fetchOne(DUCKLAKE_DATA_FILE.RECORD_COUNT);
      if (rows == null) {
        throw refusedDelete(
            table, delete, "data file %d is not live in the table".formatted(delete.dataFileId()));
      }
      long before = deletedBefore(delete);
      if (delete.deleteCount() < Math.max(1, before) || delete.deleteCount() > rows) {
        throw refusedDelete(
            table,
            delete,
            "it deletes %d rows where %d are deleted already and the file has %d"
                .formatted(delete.deleteCount(), before, rows));
      }
      boolean taken =
          dsl.fetchExists(
              dsl.selectOne()
                  .from(DUCKLAKE_DELETE_FILE)
                  .where(DUCKLAKE_DELETE_FILE.TABLE_ID.eq(table.id()))
                  .and(
                      DUCKLAKE_DELETE_FILE.PATH.in(
                          delete.path(), relativeTo(table, delete.path()))));
      if (taken) {
        throw refusedDelete(table, delete, "a delete file of that path is or was registered");
      }
    }
  }

  private static String relativeTo(TableDraft table, String path) {
    String base = table.identity().path();
    return path.startsWith(base) ? path.substring(base.length()) : path;
  }

  private long deletedBefore(NewDeleteFile delete) {
    Long count =
        dsl.select(DUCKLAKE_DELETE_FILE.DELETE_COUNT)
            .from(DUCKLAKE_DELETE_FILE)
            .where(DUCKLAKE_DELETE_FILE.DATA_FILE_ID.eq(delete.dataFileId()))
            .and(DUCKLAKE_DELETE_FILE.END_SNAPSHOT.isNull())
            .fetchOne(DUCKLAKE_DELETE_FILE.DELETE_COUNT);
    return count == null ? 0 : count;
  }

  private static RuntimeException refusedDelete(
      TableDraft table, NewDeleteFile delete, String reason) {
    return CatalogErrors.invalid(
        "table " + table.qualifiedName(),
        "delete file %s cannot be added".formatted(delete.path()),
        reason,
        "plan the delete again on the newest snapshot");
  }

  /** Over all changes of the request: an earlier one may be of another table. */
  private void requireDistinct(TableDraft table, List<NewDataFile> files) {
    for (NewDataFile file : files) {
      if (!named.add(file.path())) {
        throw CatalogErrors.pathTaken(
            table.qualifiedName().toString(), file.path(), "this request names it twice");
      }
    }
  }

  private Map<String, Owner> owners(TableDraft table, List<NewDataFile> files) {
    if (files.isEmpty()) {
      return Map.of();
    }
    Map<String, Owner> owners = new HashMap<>();
    Map<Long, String> bases = new HashMap<>(cache.tableBases(this::tableBases));
    bases.put(table.id(), table.identity().path());
    Set<String> distinctBases = new HashSet<>(bases.values());
    Set<String> wanted = new HashSet<>();
    List<String> spellings = new ArrayList<>();
    for (NewDataFile file : files) {
      wanted.add(file.path());
      addSpellings(spellings, file.path(), distinctBases);
    }
    Field<String> spelled = field(name("spelled", "path"), String.class);
    dsl.select(
            DUCKLAKE_DATA_FILE.DATA_FILE_ID,
            DUCKLAKE_DATA_FILE.TABLE_ID,
            DUCKLAKE_DATA_FILE.PATH,
            DUCKLAKE_DATA_FILE.PATH_IS_RELATIVE,
            DUCKLAKE_DATA_FILE.END_SNAPSHOT,
            DUCKLAKE_DATA_FILE.RECORD_COUNT,
            DUCKLAKE_DATA_FILE.FILE_SIZE_BYTES,
            DUCKLAKE_DATA_FILE.MAPPING_ID,
            DUCKLAKE_DATA_FILE.PARTITION_ID)
        .from(unnest(spellings))
        .join(DUCKLAKE_DATA_FILE)
        .on(DUCKLAKE_DATA_FILE.PATH.eq(spelled))
        .forEach(
            row -> {
              String path =
                  LakePath.resolve(
                      bases.getOrDefault(row.value2(), ""), row.value3(), row.value4());
              if (wanted.contains(path)) {
                Owner owner =
                    new Owner(
                        row.value1(),
                        row.value2(),
                        row.value5() == null,
                        row.value6(),
                        row.value7(),
                        row.value8(),
                        row.value9());
                // a live owner says more than an ended one
                owners.merge(path, owner, (one, other) -> one.live() ? one : other);
              }
            });
    return owners;
  }

  private void requireNotScheduled(TableDraft table, List<NewDataFile> files) {
    scheduled(files)
        .forEach(
            (path, why) -> {
              throw CatalogErrors.pathTaken(table.qualifiedName().toString(), path, why);
            });
  }

  /** Those of the files' paths that are scheduled for deletion, with that reason. */
  private Map<String, String> scheduled(List<NewDataFile> files) {
    if (files.isEmpty()
        || !dsl.fetchExists(dsl.selectOne().from(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION))) {
      return Map.of();
    }
    List<String> spellings = new ArrayList<>();
    for (NewDataFile file : files) {
      spellings.add(file.path());
      if (file.path().startsWith(lake.dataPath())) {
        spellings.add(file.path().substring(lake.dataPath().length()));
      }
    }
    Field<String> spelled = field(name("spelled", "path"), String.class);
    Set<String> found =
        dsl.select(spelled)
            .from(unnest(spellings))
            .join(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION)
            .on(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION.PATH.eq(spelled))
            .fetchSet(spelled);
    Map<String, String> scheduled = new LinkedHashMap<>();
    for (NewDataFile file : files) {
      boolean relative =
          file.path().startsWith(lake.dataPath())
              && found.contains(file.path().substring(lake.dataPath().length()));
      if (relative || found.contains(file.path())) {
        scheduled.put(file.path(), "it is scheduled for deletion");
      }
    }
    return scheduled;
  }

  private static Table<?> unnest(List<String> paths) {
    return table("unnest({0})", val(paths.toArray(new String[0])))
        .as(name("spelled"), name("path"));
  }

  /** Every way in which a row of some table can spell the path. */
  private static void addSpellings(List<String> spellings, String path, Set<String> bases) {
    spellings.add(path);
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (bases.contains(path.substring(0, slash + 1))) {
        spellings.add(path.substring(slash + 1));
      }
    }
  }

  /** Where the relative paths of every table, live or not, begin. */
  private Map<Long, String> tableBases() {
    Map<Long, String> bases = new HashMap<>();
    dsl.select(
            DUCKLAKE_TABLE.TABLE_ID,
            DUCKLAKE_SCHEMA.PATH,
            DUCKLAKE_SCHEMA.PATH_IS_RELATIVE,
            DUCKLAKE_TABLE.PATH,
            DUCKLAKE_TABLE.PATH_IS_RELATIVE)
        .from(DUCKLAKE_TABLE)
        .join(DUCKLAKE_SCHEMA)
        .on(DUCKLAKE_SCHEMA.SCHEMA_ID.eq(DUCKLAKE_TABLE.SCHEMA_ID))
        .forEach(
            row ->
                bases.put(
                    row.value1(),
                    LakePath.resolve(
                        LakePath.resolve(lake.dataPath(), row.value2(), row.value3()),
                        row.value4(),
                        row.value5())));
    return bases;
  }

  private static RuntimeException taken(TableDraft table, String path, Owner owner) {
    return CatalogErrors.pathTaken(table.qualifiedName().toString(), path, whose(owner));
  }

  private static String whose(Owner owner) {
    return "data file %d of table id %d (%s) names it"
        .formatted(owner.fileId(), owner.tableId(), owner.live() ? "live" : "ended");
  }
}
