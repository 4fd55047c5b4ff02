package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILES_SCHEDULED_FOR_DELETION;
import static org.jooq.impl.DSL.any;

import dev.sluice.catalog.LakeInfo;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.commit.Change.ForeignContent;
import dev.sluice.catalog.commit.Change.InlinedDelete;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import dev.sluice.catalog.commit.StoredFacts.StoredFile;
import dev.sluice.catalog.error.CatalogErrors;
import dev.sluice.catalog.internal.LakePath;
import dev.sluice.catalog.internal.TableBases;
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
import org.jspecify.annotations.Nullable;

/** What is live in a table, and which objects the catalog owns already. Reads only. */
final class LiveContent {

  /**
   * From so many files on it pays to ask first whether anything lies in their folder: a generation
   * lands in one of its own, where nothing does.
   */
  static final int MANY_PATHS = 100;

  private final DSLContext dsl;
  private final LakeInfo lake;
  private final LayoutCache cache;
  private final OwnTables own;
  private final StoredFacts facts;
  private final InlinedTables inlined;
  private final NameMappings mappings;
  private final Set<String> named = new HashSet<>();

  LiveContent(
      OpenTransaction transaction,
      StoredFacts facts,
      InlinedTables inlined,
      NameMappings mappings) {
    this.dsl = transaction.dsl();
    this.lake = transaction.lake();
    this.cache = transaction.cache();
    this.own = transaction.own();
    this.facts = facts;
    this.inlined = inlined;
    this.mappings = mappings;
  }

  /**
   * New content split into files whose live rows stay open and files to be added.
   *
   * @param kept ids of the files that stay
   * @param keptRows rows of those, deleted ones included
   * @param keptDeletes those of the files that stay whose delete file stays as well
   * @param keptPositions positions in those delete files
   * @param deletes new delete files of files that stay
   * @param added files to be added, with their delete files
   */
  record Split(
      List<Long> kept,
      long keptRows,
      List<Long> keptDeletes,
      long keptPositions,
      List<NewDeleteFile> deletes,
      List<NewDataFile> added) {
    Split {
      kept = List.copyOf(kept);
      keptDeletes = List.copyOf(keptDeletes);
      deletes = List.copyOf(deletes);
      added = List.copyOf(added);
    }
  }

  /**
   * Looks for what others did to the table since we last replaced its content.
   *
   * @return what a replacement drops by policy, in words; null when there is nothing
   */
  @Nullable String checkForeign(TableDraft table, ForeignContent policy) {
    if (own.contains(table.id())) {
      return null;
    }
    Optional<String> found = new ForeignChanges(dsl, lake.key(), inlined).find(table);
    if (found.isEmpty()) {
      own.add(table.id());
    }
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
    takenDeletes(table, files, new KeptRows(dsl, inlined, mappings, table, List.of()))
        .forEach(
            (path, why) -> {
              throw CatalogErrors.pathTaken(table.qualifiedName().toString(), path, why);
            });
  }

  /**
   * Splits new content. A live file of this table keeps its row when the row says just what a new
   * one would. Any other owner of a path refuses it, and all such paths are named: re-adding an
   * ended path would let expiry delete the live object, and a row that reads otherwise, or lacks
   * rows, is not the file's content.
   */
  Split split(TableDraft table, List<NewDataFile> files) {
    requireDistinct(table, files);
    Map<String, StoredFile> owners = owners(table, files);
    Map<String, String> refused = new LinkedHashMap<>(scheduled(files));
    KeptRows rows = new KeptRows(dsl, inlined, mappings, table, ids(owners));
    List<Long> kept = new ArrayList<>();
    List<Long> keptDeletes = new ArrayList<>();
    List<NewDeleteFile> deletes = new ArrayList<>();
    List<NewDataFile> added = new ArrayList<>();
    long keptRows = 0;
    long keptPositions = 0;
    refused.putAll(takenDeletes(table, files, rows));
    for (NewDataFile file : files) {
      StoredFile owner = owners.get(file.path());
      if (owner == null) {
        added.add(file);
        continue;
      }
      String why =
          owner.live() && owner.tableId() == table.id() ? rows.whyNot(file, owner) : whose(owner);
      if (why != null) {
        refused.putIfAbsent(file.path(), why);
      }
      kept.add(owner.fileId());
      keptRows += owner.recordCount();
      NewDataFile.Deletes ours = file.deletes();
      if (ours != null && rows.hasDeletes(owner.fileId(), ours.path())) {
        keptDeletes.add(owner.fileId());
        keptPositions += ours.count();
      } else if (ours != null) {
        deletes.add(NewDeleteFile.of(owner.fileId(), ours));
      }
    }
    if (!refused.isEmpty()) {
      Map.Entry<String, String> first = refused.entrySet().iterator().next();
      throw CatalogErrors.pathsTaken(
          table.qualifiedName().toString(),
          first.getKey(),
          first.getValue(),
          List.copyOf(refused.keySet()));
    }
    return new Split(kept, keptRows, keptDeletes, keptPositions, deletes, added);
  }

  /**
   * Data files whose delete file cannot be registered: an object is named by one row for ever, as
   * that of a data file is.
   */
  private Map<String, String> takenDeletes(
      TableDraft table, List<NewDataFile> files, KeptRows rows) {
    Map<String, NewDataFile> byDeletes = new LinkedHashMap<>();
    for (NewDataFile file : files) {
      NewDataFile.Deletes deletes = file.deletes();
      if (deletes != null && !rows.hasDeletes(deletes.path())) {
        requireDistinct(table, deletes.path());
        byDeletes.put(deletes.path(), file);
      }
    }
    if (byDeletes.isEmpty()) {
      return Map.of();
    }
    Map<String, String> taken = new LinkedHashMap<>();
    List<String> spellings = new ArrayList<>(byDeletes.keySet());
    byDeletes.keySet().forEach(path -> spellings.add(relativeTo(table, path)));
    dsl.select(DUCKLAKE_DELETE_FILE.PATH)
        .from(DUCKLAKE_DELETE_FILE)
        .where(DUCKLAKE_DELETE_FILE.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_DELETE_FILE.PATH.eq(any(spellings.toArray(new String[0]))))
        .forEach(
            row ->
                byDeletes.forEach(
                    (path, file) -> {
                      if (row.value1().equals(path)
                          || row.value1().equals(relativeTo(table, path))) {
                        taken.put(
                            file.path(), "its delete file %s is or was registered".formatted(path));
                      }
                    }));
    return taken;
  }

  private static List<Long> ids(Map<String, StoredFile> owners) {
    return owners.values().stream().map(StoredFile::fileId).toList();
  }

  /**
   * Refuses delete files that are not one more delete of a live data file of the table: each holds
   * all positions, so it has at least as many as what it supersedes, and at most the file's rows.
   */
  void requireLive(TableDraft table, List<NewDeleteFile> deletes) {
    Set<Long> dataFiles = new HashSet<>(table.endedFiles());
    table.newDeletes().forEach(earlier -> dataFiles.add(earlier.dataFileId()));
    Set<String> paths = new HashSet<>();
    for (NewDeleteFile delete : deletes) {
      if (!dataFiles.add(delete.dataFileId())) {
        throw refusedDelete(
            table, delete, "this request has two for data file " + delete.dataFileId());
      }
      paths.add(delete.path());
      paths.add(relativeTo(table, delete.path()));
    }
    List<Long> ids = deletes.stream().map(NewDeleteFile::dataFileId).toList();
    Map<Long, Long> rows = liveRows(table, ids);
    Map<Long, Long> before = deletedBefore(ids);
    Set<String> taken =
        dsl.select(DUCKLAKE_DELETE_FILE.PATH)
            .from(DUCKLAKE_DELETE_FILE)
            .where(DUCKLAKE_DELETE_FILE.TABLE_ID.eq(table.id()))
            .and(DUCKLAKE_DELETE_FILE.PATH.eq(any(paths.toArray(new String[0]))))
            .fetchSet(DUCKLAKE_DELETE_FILE.PATH);
    for (NewDeleteFile delete : deletes) {
      Long live = rows.get(delete.dataFileId());
      if (live == null) {
        throw refusedDelete(
            table, delete, "data file %d is not live in the table".formatted(delete.dataFileId()));
      }
      long deleted = before.getOrDefault(delete.dataFileId(), 0L);
      if (delete.deleteCount() < Math.max(1, deleted) || delete.deleteCount() > live) {
        throw refusedDelete(
            table,
            delete,
            "it deletes %d rows where %d are deleted already and the file has %d"
                .formatted(delete.deleteCount(), deleted, live));
      }
      if (taken.contains(delete.path()) || taken.contains(relativeTo(table, delete.path()))) {
        throw refusedDelete(table, delete, "a delete file of that path is or was registered");
      }
    }
  }

  /** Refuses data files that are not live in the table, or that the request deletes rows of. */
  void requireLiveFiles(TableDraft table, List<Long> dataFileIds) {
    Set<Long> touched = new HashSet<>(table.endedFiles());
    table.newDeletes().forEach(delete -> touched.add(delete.dataFileId()));
    Map<Long, Long> live = liveRows(table, dataFileIds);
    for (Long id : dataFileIds) {
      if (!touched.add(id) || !live.containsKey(id)) {
        throw CatalogErrors.invalid(
            "table " + table.qualifiedName(),
            "data file %d cannot be ended".formatted(id),
            "it is not live in the table, or the request names it twice",
            "plan the delete again on the newest snapshot");
      }
    }
  }

  /** Refuses files that are not live, or of which the catalog has deleted nothing yet. */
  void requireInlinedDeletes(TableDraft table, List<InlinedDelete> deletes) {
    List<Long> ids = deletes.stream().map(InlinedDelete::dataFileId).toList();
    requireLiveFiles(table, ids);
    Map<Long, Long> rows = liveRows(table, ids);
    Set<Long> known = inlined.withDeletes(table, ids);
    for (InlinedDelete delete : deletes) {
      long most = rows.getOrDefault(delete.dataFileId(), 0L);
      boolean inside =
          delete.positions().stream().allMatch(position -> position >= 0 && position < most);
      if (!known.contains(delete.dataFileId()) || delete.positions().isEmpty() || !inside) {
        throw CatalogErrors.invalid(
            "table " + table.qualifiedName(),
            "rows of data file %d cannot be deleted inside the catalog"
                .formatted(delete.dataFileId()),
            "the catalog has deleted none of it before, or a position lies outside of the file",
            "plan the delete again on the newest snapshot");
      }
    }
  }

  /** Refuses row ids that are not those of live rows inside the catalog. */
  void requireLiveRows(TableDraft table, List<Long> rowIds) {
    Set<Long> missing = new HashSet<>(rowIds);
    missing.removeAll(inlined.live(table, rowIds));
    if (!missing.isEmpty()) {
      throw CatalogErrors.invalid(
          "table " + table.qualifiedName(),
          "the inlined row %d cannot be ended".formatted(missing.iterator().next()),
          "it is not live in the catalog",
          "plan the delete again on the newest snapshot");
    }
  }

  private Map<Long, Long> liveRows(TableDraft table, List<Long> dataFileIds) {
    return dsl.select(DUCKLAKE_DATA_FILE.DATA_FILE_ID, DUCKLAKE_DATA_FILE.RECORD_COUNT)
        .from(DUCKLAKE_DATA_FILE)
        .where(DUCKLAKE_DATA_FILE.DATA_FILE_ID.eq(any(dataFileIds.toArray(new Long[0]))))
        .and(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
        .fetchMap(DUCKLAKE_DATA_FILE.DATA_FILE_ID, DUCKLAKE_DATA_FILE.RECORD_COUNT);
  }

  private static String relativeTo(TableDraft table, String path) {
    String base = table.identity().path();
    return path.startsWith(base) ? path.substring(base.length()) : path;
  }

  private Map<Long, Long> deletedBefore(List<Long> dataFileIds) {
    Map<Long, Long> deleted = new HashMap<>();
    dsl.select(DUCKLAKE_DELETE_FILE.DATA_FILE_ID, DUCKLAKE_DELETE_FILE.DELETE_COUNT)
        .from(DUCKLAKE_DELETE_FILE)
        .where(DUCKLAKE_DELETE_FILE.DATA_FILE_ID.eq(any(dataFileIds.toArray(new Long[0]))))
        .and(DUCKLAKE_DELETE_FILE.END_SNAPSHOT.isNull())
        .forEach(row -> deleted.merge(row.value1(), row.value2(), Math::max));
    return deleted;
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
    files.forEach(file -> requireDistinct(table, file.path()));
  }

  private void requireDistinct(TableDraft table, String path) {
    if (!named.add(path)) {
      throw CatalogErrors.pathTaken(
          table.qualifiedName().toString(), path, "this request names it twice");
    }
  }

  private Map<String, StoredFile> owners(TableDraft table, List<NewDataFile> files) {
    if (files.isEmpty()) {
      return Map.of();
    }
    Map<String, StoredFile> owners = new HashMap<>();
    Map<Long, String> bases =
        new HashMap<>(cache.tableBases(() -> TableBases.load(dsl, lake.dataPath())));
    bases.put(table.id(), table.identity().path());
    if (files.size() >= MANY_PATHS
        && TableBases.commonFolder(files.stream().map(NewDataFile::path).toList(), bases)
            .filter(facts::isEmpty)
            .isPresent()) {
      return Map.of();
    }
    Set<String> wanted = new HashSet<>();
    files.forEach(file -> wanted.add(file.path()));
    List<String> spellings = TableBases.spellings(wanted, new HashSet<>(bases.values()));
    for (StoredFile row : facts.filesOf(spellings)) {
      String path =
          LakePath.resolve(bases.getOrDefault(row.tableId(), ""), row.path(), row.relative());
      if (wanted.contains(path)) {
        // a live owner says more than an ended one
        owners.merge(path, row, (one, other) -> one.live() ? one : other);
      }
    }
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
    if (files.isEmpty() || !facts.isAnyScheduled()) {
      return Map.of();
    }
    List<String> spellings = new ArrayList<>();
    for (NewDataFile file : files) {
      spellings.add(file.path());
      if (file.path().startsWith(lake.dataPath())) {
        spellings.add(file.path().substring(lake.dataPath().length()));
      }
    }
    Field<String> spelled = StoredFacts.SPELLED;
    Set<String> found =
        dsl.select(spelled)
            .from(StoredFacts.unnest(spellings))
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

  private static RuntimeException taken(TableDraft table, String path, StoredFile owner) {
    return CatalogErrors.pathTaken(table.qualifiedName().toString(), path, whose(owner));
  }

  private static String whose(StoredFile owner) {
    return "data file %d of table id %d (%s) names it"
        .formatted(owner.fileId(), owner.tableId(), owner.live() ? "live" : "ended");
  }
}
