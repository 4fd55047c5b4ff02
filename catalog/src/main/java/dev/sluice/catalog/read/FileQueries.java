package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DELETE_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILE_COLUMN_STATS;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILE_PARTITION_VALUE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_NAME_MAPPING;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_PARTITION_COLUMN;
import static org.jooq.impl.DSL.any;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.internal.LakePath;
import dev.sluice.catalog.read.FileFacts.Statistics;
import dev.sluice.catalog.read.ScanFile.DeleteFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Reads a table's live data files and what belongs to them. */
final class FileQueries {

  private static final String PARQUET = "parquet";

  private final DSLContext dsl;
  private final long snapshotId;
  private final Table table;
  private final Condition files;
  private final Condition deletes;
  private @Nullable List<Long> only;

  /** The files that a snapshot sees, without the rows that it does not. */
  FileQueries(DSLContext dsl, long snapshotId, Table table) {
    this(
        dsl,
        snapshotId,
        table,
        Live.at(snapshotId, DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT, DUCKLAKE_DATA_FILE.END_SNAPSHOT),
        Live.at(
            snapshotId, DUCKLAKE_DELETE_FILE.BEGIN_SNAPSHOT, DUCKLAKE_DELETE_FILE.END_SNAPSHOT));
  }

  /**
   * Other files, as one snapshot reads them.
   *
   * @param files which data files of the table
   * @param deletes which of their delete files
   */
  FileQueries(DSLContext dsl, long snapshotId, Table table, Condition files, Condition deletes) {
    this.dsl = dsl;
    this.snapshotId = snapshotId;
    this.table = table;
    this.files = DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()).and(files);
    this.deletes = deletes;
  }

  /** The files by id, each with its deletes, partition values and name map. */
  List<ScanFile> files(Map<Long, List<Long>> inlinedDeletes) {
    Map<Long, List<DeleteFile>> deleteFiles = deleteFiles();
    Map<Long, List<Optional<String>>> partitionValues = partitionValues();
    Map<Long, NameMap> nameMaps = nameMaps();
    return dsl.selectFrom(DUCKLAKE_DATA_FILE)
        .where(wanted())
        .orderBy(DUCKLAKE_DATA_FILE.DATA_FILE_ID)
        .fetch()
        .map(row -> file(row, deleteFiles, partitionValues, nameMaps, inlinedDeletes));
  }

  /** Statistics of some leaf columns, by file and column. */
  Map<Long, Map<Long, Statistics>> statistics(Set<Long> columnIds) {
    Map<Long, Map<Long, Statistics>> statistics = new HashMap<>();
    dsl.selectFrom(DUCKLAKE_FILE_COLUMN_STATS)
        .where(DUCKLAKE_FILE_COLUMN_STATS.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_FILE_COLUMN_STATS.COLUMN_ID.in(columnIds))
        .and(ofWanted(DUCKLAKE_FILE_COLUMN_STATS.DATA_FILE_ID))
        .forEach(
            row ->
                statistics
                    .computeIfAbsent(
                        row.get(DUCKLAKE_FILE_COLUMN_STATS.DATA_FILE_ID), id -> new HashMap<>())
                    .put(
                        row.get(DUCKLAKE_FILE_COLUMN_STATS.COLUMN_ID),
                        new Statistics(
                            row.get(DUCKLAKE_FILE_COLUMN_STATS.VALUE_COUNT),
                            row.get(DUCKLAKE_FILE_COLUMN_STATS.NULL_COUNT),
                            row.get(DUCKLAKE_FILE_COLUMN_STATS.MIN_VALUE),
                            row.get(DUCKLAKE_FILE_COLUMN_STATS.MAX_VALUE),
                            row.get(DUCKLAKE_FILE_COLUMN_STATS.CONTAINS_NAN))));
    return statistics;
  }

  /** Every type that the columns ever had, by column. */
  Map<Long, Set<ColumnType>> typeHistory(Set<Long> columnIds) {
    Map<Long, Set<ColumnType>> history = new HashMap<>();
    dsl.selectDistinct(DUCKLAKE_COLUMN.COLUMN_ID, DUCKLAKE_COLUMN.COLUMN_TYPE)
        .from(DUCKLAKE_COLUMN)
        .where(DUCKLAKE_COLUMN.TABLE_ID.eq(table.id()))
        .and(DUCKLAKE_COLUMN.COLUMN_ID.in(columnIds))
        .forEach(
            row ->
                history
                    .computeIfAbsent(row.value1(), id -> new HashSet<>())
                    .add(ColumnType.parse(row.value2())));
    return history;
  }

  /** The keys of every spec the table ever had, by partition id, in key order. */
  Map<Long, List<PartitionSpecs.Key>> partitionKeys() {
    Map<Long, List<PartitionSpecs.Key>> keys = new HashMap<>();
    dsl.selectFrom(DUCKLAKE_PARTITION_COLUMN)
        .where(DUCKLAKE_PARTITION_COLUMN.TABLE_ID.eq(table.id()))
        .orderBy(DUCKLAKE_PARTITION_COLUMN.PARTITION_KEY_INDEX)
        .forEach(
            row ->
                keys.computeIfAbsent(
                        row.get(DUCKLAKE_PARTITION_COLUMN.PARTITION_ID), id -> new ArrayList<>())
                    .add(
                        new PartitionSpecs.Key(
                            row.get(DUCKLAKE_PARTITION_COLUMN.COLUMN_ID),
                            PartitionTransform.parse(
                                row.get(DUCKLAKE_PARTITION_COLUMN.TRANSFORM)))));
    return keys;
  }

  /** How many files are live, whatever {@link #only} says. */
  int countLive() {
    return dsl.fetchCount(dsl.selectOne().from(DUCKLAKE_DATA_FILE).where(files));
  }

  /** From now on only files that may hold a row that matches are looked at. */
  void leaveOut(Predicate predicate, Map<Long, Set<ColumnType>> typeHistory, int live) {
    only =
        new CandidateFiles(table, typeHistory, CandidateFiles.WORTH_IT)
            .find(dsl, live, files, predicate)
            .orElse(null);
  }

  private Condition wanted() {
    return only == null ? files : files.and(ofWanted(DUCKLAKE_DATA_FILE.DATA_FILE_ID));
  }

  /** Known ids are given: PostgreSQL would find the files again for each statement. */
  private Condition ofWanted(Field<Long> fileId) {
    List<Long> ids = only;
    return ids == null
        ? fileId.in(
            dsl.select(DUCKLAKE_DATA_FILE.DATA_FILE_ID).from(DUCKLAKE_DATA_FILE).where(files))
        : fileId.eq(any(ids.toArray(new Long[0])));
  }

  private ScanFile file(
      Record row,
      Map<Long, List<DeleteFile>> deleteFiles,
      Map<Long, List<Optional<String>>> partitionValues,
      Map<Long, NameMap> nameMaps,
      Map<Long, List<Long>> inlinedDeletes) {
    long id = row.get(DUCKLAKE_DATA_FILE.DATA_FILE_ID);
    String path =
        LakePath.resolve(
            table.path(),
            row.get(DUCKLAKE_DATA_FILE.PATH),
            row.get(DUCKLAKE_DATA_FILE.PATH_IS_RELATIVE));
    String format = row.get(DUCKLAKE_DATA_FILE.FILE_FORMAT);
    if (format != null && !format.equalsIgnoreCase(PARQUET)) {
      throw ReadErrors.fileFormat(table.name(), path, format);
    }
    refuseEncrypted(path, row.get(DUCKLAKE_DATA_FILE.ENCRYPTION_KEY));
    Long partialMax = row.get(DUCKLAKE_DATA_FILE.PARTIAL_MAX);
    return new ScanFile(
        id,
        path,
        row.get(DUCKLAKE_DATA_FILE.RECORD_COUNT),
        row.get(DUCKLAKE_DATA_FILE.FILE_SIZE_BYTES),
        row.get(DUCKLAKE_DATA_FILE.FOOTER_SIZE),
        row.get(DUCKLAKE_DATA_FILE.ROW_ID_START),
        row.get(DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT),
        partialMax != null && partialMax > snapshotId ? partialMax : null,
        nameMap(path, row.get(DUCKLAKE_DATA_FILE.MAPPING_ID), nameMaps),
        row.get(DUCKLAKE_DATA_FILE.PARTITION_ID),
        partitionValues.getOrDefault(id, List.of()),
        deleteFiles.getOrDefault(id, List.of()),
        inlinedDeletes.getOrDefault(id, List.of()));
  }

  private @Nullable NameMap nameMap(
      String path, @Nullable Long mappingId, Map<Long, NameMap> nameMaps) {
    if (mappingId == null) {
      return null;
    }
    NameMap found = nameMaps.get(mappingId);
    if (found == null) {
      throw ReadErrors.missingNameMap(table.name(), path, mappingId);
    }
    return found;
  }

  private void refuseEncrypted(String path, @Nullable String key) {
    if (key != null) {
      throw ReadErrors.encrypted(table.name(), path);
    }
  }

  private Map<Long, List<DeleteFile>> deleteFiles() {
    Map<Long, List<DeleteFile>> files = new HashMap<>();
    dsl.selectFrom(DUCKLAKE_DELETE_FILE)
        .where(DUCKLAKE_DELETE_FILE.TABLE_ID.eq(table.id()))
        .and(deletes)
        .and(ofWanted(DUCKLAKE_DELETE_FILE.DATA_FILE_ID))
        .orderBy(DUCKLAKE_DELETE_FILE.DELETE_FILE_ID)
        .forEach(
            row ->
                files
                    .computeIfAbsent(
                        row.get(DUCKLAKE_DELETE_FILE.DATA_FILE_ID), id -> new ArrayList<>())
                    .add(deleteFile(row)));
    return files;
  }

  private DeleteFile deleteFile(Record row) {
    String path =
        LakePath.resolve(
            table.path(),
            row.get(DUCKLAKE_DELETE_FILE.PATH),
            row.get(DUCKLAKE_DELETE_FILE.PATH_IS_RELATIVE));
    String format = row.get(DUCKLAKE_DELETE_FILE.FORMAT);
    if (format != null && !format.equalsIgnoreCase(PARQUET)) {
      throw ReadErrors.puffin(table.name(), path, format);
    }
    refuseEncrypted(path, row.get(DUCKLAKE_DELETE_FILE.ENCRYPTION_KEY));
    return new DeleteFile(
        row.get(DUCKLAKE_DELETE_FILE.DELETE_FILE_ID),
        row.get(DUCKLAKE_DELETE_FILE.BEGIN_SNAPSHOT),
        path,
        row.get(DUCKLAKE_DELETE_FILE.DELETE_COUNT),
        row.get(DUCKLAKE_DELETE_FILE.FILE_SIZE_BYTES),
        row.get(DUCKLAKE_DELETE_FILE.FOOTER_SIZE));
  }

  private Map<Long, List<Optional<String>>> partitionValues() {
    Map<Long, List<Optional<String>>> values = new HashMap<>();
    dsl.select(
            DUCKLAKE_FILE_PARTITION_VALUE.DATA_FILE_ID,
            DUCKLAKE_FILE_PARTITION_VALUE.PARTITION_VALUE)
        .from(DUCKLAKE_FILE_PARTITION_VALUE)
        .where(DUCKLAKE_FILE_PARTITION_VALUE.TABLE_ID.eq(table.id()))
        .and(ofWanted(DUCKLAKE_FILE_PARTITION_VALUE.DATA_FILE_ID))
        .orderBy(DUCKLAKE_FILE_PARTITION_VALUE.PARTITION_KEY_INDEX)
        .forEach(
            row ->
                values
                    .computeIfAbsent(row.value1(), id -> new ArrayList<>())
                    .add(Optional.ofNullable(row.value2())));
    return values;
  }

  private Map<Long, NameMap> nameMaps() {
    Map<Long, List<Record>> rows = new HashMap<>();
    dsl.selectFrom(DUCKLAKE_NAME_MAPPING)
        .where(
            DUCKLAKE_NAME_MAPPING.MAPPING_ID.in(
                dsl.select(DUCKLAKE_DATA_FILE.MAPPING_ID).from(DUCKLAKE_DATA_FILE).where(wanted())))
        .orderBy(DUCKLAKE_NAME_MAPPING.MAPPING_ID, DUCKLAKE_NAME_MAPPING.COLUMN_ID)
        .forEach(
            row ->
                rows.computeIfAbsent(
                        row.get(DUCKLAKE_NAME_MAPPING.MAPPING_ID), id -> new ArrayList<>())
                    .add(row));
    Map<Long, NameMap> maps = new HashMap<>();
    rows.forEach((id, ofMap) -> maps.put(id, NameMapTree.of(id, ofMap)));
    return maps;
  }
}
