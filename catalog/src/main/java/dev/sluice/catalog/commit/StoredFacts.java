package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN_MAPPING;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_FILES_SCHEDULED_FOR_DELETION;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_INLINED_DATA_TABLES;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_NAME_MAPPING;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE_COLUMN_STATS;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE_STATS;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.not;
import static org.jooq.impl.DSL.or;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.commit.TableDraft.Stats;
import dev.sluice.catalog.internal.TableBases.Folder;
import dev.sluice.catalog.internal.jooq.ducklake.tables.records.DucklakeTableColumnStatsRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * What the catalog holds about the tables and paths that requests name, besides layouts. It is read
 * ahead for all requests that are planned together, in one round trip; what nobody foresaw is read
 * when it is asked for. Holds as long as nothing is written. Reads only; not thread-safe.
 */
final class StoredFacts {

  private static final Field<String> RELATION = field(name("relname"), String.class);

  private final OpenTransaction transaction;
  private final DSLContext dsl;
  private final Map<Long, TableFacts> tables = new HashMap<>();
  private final Map<Long, Long> liveFiles = new HashMap<>();
  private final Map<Long, Boolean> inlinedDeletes = new HashMap<>();
  private final Map<String, List<StoredFile>> files = new HashMap<>();
  private final Set<String> soughtPaths = new HashSet<>();
  private final Map<Folder, Boolean> occupied = new HashMap<>();
  private @Nullable Boolean anyScheduled;

  StoredFacts(OpenTransaction transaction) {
    this.transaction = transaction;
    this.dsl = transaction.dsl();
  }

  /** A row of a data file, live or not. */
  record StoredFile(
      long fileId,
      long tableId,
      String path,
      boolean relative,
      boolean live,
      long recordCount,
      long fileSizeBytes,
      @Nullable Long mappingId,
      @Nullable Long partitionId) {}

  /** One row of a name mapping; {@code index} counts depth first within the mapping. */
  record MappingRow(
      long index, String sourceName, long targetId, @Nullable Long parent, boolean partition) {}

  private static final class TableFacts {
    private @Nullable Stats stats;
    private final List<DucklakeTableColumnStatsRecord> columns = new ArrayList<>();
    private final List<String> inlined = new ArrayList<>();
    private final SortedMap<Long, List<MappingRow>> mappings = new TreeMap<>();
  }

  /** Adds the questions about the tables to a round trip. */
  void askTables(RoundTrip trip, Collection<Long> tableIds) {
    if (tableIds.isEmpty()) {
      return;
    }
    tableIds.forEach(id -> tables.put(id, new TableFacts()));
    trip.read(
        dsl.selectFrom(DUCKLAKE_TABLE_STATS).where(DUCKLAKE_TABLE_STATS.TABLE_ID.in(tableIds)),
        found ->
            found
                .into(DUCKLAKE_TABLE_STATS)
                .forEach(
                    row ->
                        known(row.getTableId()).stats =
                            new Stats(
                                row.getRecordCount(), row.getNextRowId(), row.getFileSizeBytes())));
    trip.read(
        dsl.selectFrom(DUCKLAKE_TABLE_COLUMN_STATS)
            .where(DUCKLAKE_TABLE_COLUMN_STATS.TABLE_ID.in(tableIds)),
        found ->
            found
                .into(DUCKLAKE_TABLE_COLUMN_STATS)
                .forEach(row -> known(row.getTableId()).columns.add(row)));
    trip.read(
        dsl.select(DUCKLAKE_INLINED_DATA_TABLES.TABLE_ID, DUCKLAKE_INLINED_DATA_TABLES.TABLE_NAME)
            .from(DUCKLAKE_INLINED_DATA_TABLES)
            .where(DUCKLAKE_INLINED_DATA_TABLES.TABLE_ID.in(tableIds)),
        found ->
            found.forEach(
                row ->
                    known(row.get(DUCKLAKE_INLINED_DATA_TABLES.TABLE_ID))
                        .inlined
                        .add(row.get(DUCKLAKE_INLINED_DATA_TABLES.TABLE_NAME))));
    askMappings(trip, tableIds);
  }

  /**
   * Adds the question which of the tables have a table of rows deleted inside the catalog. Not by
   * information_schema, whose views look at the privileges of every table there is.
   */
  void askInlinedDeletes(RoundTrip trip, Collection<Long> tableIds) {
    if (tableIds.isEmpty()) {
      return;
    }
    Map<String, Long> names = new HashMap<>();
    tableIds.forEach(id -> names.put(InlinedTables.deletesTable(id), id));
    tableIds.forEach(id -> inlinedDeletes.put(id, false));
    trip.read(
        dsl.select(RELATION)
            .from("pg_catalog.pg_class")
            .where(
                "relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = ?)",
                transaction.lake().key())
            .and(RELATION.in(names.keySet())),
        found ->
            found.forEach(
                row ->
                    inlinedDeletes.put(
                        Objects.requireNonNull(names.get(row.get(RELATION))), true)));
  }

  private void askMappings(RoundTrip trip, Collection<Long> tableIds) {
    trip.read(
        dsl.select(
                DUCKLAKE_COLUMN_MAPPING.TABLE_ID,
                DUCKLAKE_NAME_MAPPING.MAPPING_ID,
                DUCKLAKE_NAME_MAPPING.COLUMN_ID,
                DUCKLAKE_NAME_MAPPING.SOURCE_NAME,
                DUCKLAKE_NAME_MAPPING.TARGET_FIELD_ID,
                DUCKLAKE_NAME_MAPPING.PARENT_COLUMN,
                DUCKLAKE_NAME_MAPPING.IS_PARTITION)
            .from(DUCKLAKE_COLUMN_MAPPING)
            .join(DUCKLAKE_NAME_MAPPING)
            .on(DUCKLAKE_NAME_MAPPING.MAPPING_ID.eq(DUCKLAKE_COLUMN_MAPPING.MAPPING_ID))
            .where(DUCKLAKE_COLUMN_MAPPING.TABLE_ID.in(tableIds))
            .orderBy(DUCKLAKE_NAME_MAPPING.MAPPING_ID, DUCKLAKE_NAME_MAPPING.COLUMN_ID),
        found ->
            found.forEach(
                row ->
                    known(row.get(DUCKLAKE_COLUMN_MAPPING.TABLE_ID))
                        .mappings
                        .computeIfAbsent(
                            row.get(DUCKLAKE_NAME_MAPPING.MAPPING_ID), id -> new ArrayList<>())
                        .add(
                            new MappingRow(
                                row.get(DUCKLAKE_NAME_MAPPING.COLUMN_ID),
                                row.get(DUCKLAKE_NAME_MAPPING.SOURCE_NAME),
                                row.get(DUCKLAKE_NAME_MAPPING.TARGET_FIELD_ID),
                                row.get(DUCKLAKE_NAME_MAPPING.PARENT_COLUMN),
                                Boolean.TRUE.equals(
                                    row.get(DUCKLAKE_NAME_MAPPING.IS_PARTITION))))));
  }

  /** Adds the question how many data files are live in the tables. */
  void askLiveFiles(RoundTrip trip, Collection<Long> tableIds) {
    if (tableIds.isEmpty()) {
      return;
    }
    tableIds.forEach(id -> liveFiles.put(id, 0L));
    trip.read(
        dsl.select(DUCKLAKE_DATA_FILE.TABLE_ID, count())
            .from(DUCKLAKE_DATA_FILE)
            .where(DUCKLAKE_DATA_FILE.TABLE_ID.in(tableIds))
            .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
            .groupBy(DUCKLAKE_DATA_FILE.TABLE_ID),
        found ->
            found.forEach(
                row ->
                    liveFiles.put(
                        row.get(DUCKLAKE_DATA_FILE.TABLE_ID), row.get(count()).longValue())));
  }

  /** Adds the questions about data files of exactly these paths, as rows spell them. */
  void askPaths(RoundTrip trip, Collection<String> paths) {
    if (paths.isEmpty()) {
      return;
    }
    soughtPaths.addAll(paths);
    trip.read(
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
            .from(unnest(paths))
            .join(DUCKLAKE_DATA_FILE)
            .on(DUCKLAKE_DATA_FILE.PATH.eq(SPELLED)),
        found -> found.forEach(this::addFile));
    askScheduled(trip);
  }

  /** Adds the question whether any data file at all lies below the folder, ended or not. */
  void askBelow(RoundTrip trip, Folder folder) {
    List<Condition> below = new ArrayList<>();
    below.add(not(condition(DUCKLAKE_DATA_FILE.PATH_IS_RELATIVE)).and(beginsWith(folder.path())));
    folder
        .relative()
        .forEach(
            (table, beginning) ->
                below.add(
                    condition(DUCKLAKE_DATA_FILE.PATH_IS_RELATIVE)
                        .and(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table))
                        .and(beginsWith(beginning))));
    trip.read(
        dsl.select(field(exists(dsl.selectOne().from(DUCKLAKE_DATA_FILE).where(or(below))))),
        found -> occupied.put(folder, found.get(0).get(0, Boolean.class)));
    askScheduled(trip);
  }

  /** By the operators of an index that orders paths by their bytes. */
  private static Condition beginsWith(String folder) {
    return condition(
        "{0} ~>=~ {1} AND {0} ~<~ {2}", DUCKLAKE_DATA_FILE.PATH, val(folder), val(behind(folder)));
  }

  /** The least text that is above all that begin so: a folder's slash becomes the next sign. */
  private static String behind(String beginning) {
    return beginning.substring(0, beginning.length() - 1) + (char) ('/' + 1);
  }

  private void askScheduled(RoundTrip trip) {
    trip.read(
        dsl.select(field(exists(dsl.selectOne().from(DUCKLAKE_FILES_SCHEDULED_FOR_DELETION)))),
        found -> anyScheduled = found.get(0).get(0, Boolean.class));
  }

  static final Field<String> SPELLED = field(name("spelled", "path"), String.class);

  static Table<?> unnest(Collection<String> paths) {
    return table("unnest({0})", val(paths.toArray(new String[0])))
        .as(name("spelled"), name("path"));
  }

  private void addFile(Record row) {
    StoredFile file =
        new StoredFile(
            row.get(DUCKLAKE_DATA_FILE.DATA_FILE_ID),
            row.get(DUCKLAKE_DATA_FILE.TABLE_ID),
            row.get(DUCKLAKE_DATA_FILE.PATH),
            row.get(DUCKLAKE_DATA_FILE.PATH_IS_RELATIVE),
            row.get(DUCKLAKE_DATA_FILE.END_SNAPSHOT) == null,
            row.get(DUCKLAKE_DATA_FILE.RECORD_COUNT),
            row.get(DUCKLAKE_DATA_FILE.FILE_SIZE_BYTES),
            row.get(DUCKLAKE_DATA_FILE.MAPPING_ID),
            row.get(DUCKLAKE_DATA_FILE.PARTITION_ID));
    files.computeIfAbsent(file.path(), path -> new ArrayList<>()).add(file);
  }

  private TableFacts known(long tableId) {
    return Objects.requireNonNull(tables.get(tableId));
  }

  private TableFacts of(long tableId) {
    if (!tables.containsKey(tableId)) {
      RoundTrip trip = transaction.roundTrip();
      askTables(trip, Set.of(tableId));
      trip.run();
    }
    return known(tableId);
  }

  /** {@code ducklake_table_stats}; null when the table has none. */
  @Nullable Stats stats(long tableId) {
    return of(tableId).stats;
  }

  List<DucklakeTableColumnStatsRecord> columnStats(long tableId) {
    return List.copyOf(of(tableId).columns);
  }

  /** Tables in which DuckDB keeps small inserts into this one. */
  List<String> inlinedTables(long tableId) {
    return List.copyOf(of(tableId).inlined);
  }

  /** Whether DuckDB has ever kept deleted rows of the table's files inside the catalog. */
  boolean hasInlinedDeletes(long tableId) {
    if (!inlinedDeletes.containsKey(tableId)) {
      RoundTrip trip = transaction.roundTrip();
      askInlinedDeletes(trip, Set.of(tableId));
      trip.run();
    }
    return Objects.requireNonNull(inlinedDeletes.get(tableId));
  }

  /** Name mappings in the order of their ids; their rows in order. */
  SortedMap<Long, List<MappingRow>> mappings(long tableId) {
    return Collections.unmodifiableSortedMap(of(tableId).mappings);
  }

  /** Data files that are live in the table. */
  long liveFiles(long tableId) {
    if (!liveFiles.containsKey(tableId)) {
      RoundTrip trip = transaction.roundTrip();
      askLiveFiles(trip, Set.of(tableId));
      trip.run();
    }
    return Objects.requireNonNull(liveFiles.get(tableId));
  }

  /** Whether no data file lies below the folder, live or ended. */
  boolean isEmpty(Folder folder) {
    boolean known =
        occupied.entrySet().stream()
            .anyMatch(each -> !each.getValue() && each.getKey().holds(folder));
    if (!known && !occupied.containsKey(folder)) {
      RoundTrip trip = transaction.roundTrip();
      askBelow(trip, folder);
      trip.run();
    }
    return known || Boolean.FALSE.equals(occupied.get(folder));
  }

  /** Data files whose row spells its path as one of these. */
  List<StoredFile> filesOf(Collection<String> paths) {
    Set<String> unknown = new HashSet<>(paths);
    unknown.removeAll(soughtPaths);
    if (!unknown.isEmpty()) {
      RoundTrip trip = transaction.roundTrip();
      askPaths(trip, unknown);
      trip.run();
    }
    if (files.isEmpty()) {
      return List.of();
    }
    List<StoredFile> found = new ArrayList<>();
    for (String path : new HashSet<>(paths)) {
      found.addAll(files.getOrDefault(path, List.of()));
    }
    return found;
  }

  /** Whether any file at all waits for its deletion; known once paths were asked about. */
  boolean isAnyScheduled() {
    return !Boolean.FALSE.equals(anyScheduled);
  }
}
