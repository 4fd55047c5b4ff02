package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_INLINED_DATA_TABLES;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_METADATA;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.commit.Change.InlinedDelete;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * The tables in which DuckDB keeps small inserts and deletes inside the catalog (ducklake-format
 * 8.2 and 9). Sluice never inlines, but an overwrite must end such rows, and a change of columns
 * must leave DuckDB a table of the new shape. One instance per transaction; not thread-safe.
 */
final class InlinedTables {

  /** What DuckDB inlines when nobody says otherwise. */
  private static final long DUCKDB_DEFAULT_LIMIT = 10;

  private static final Set<String> SYSTEM_COLUMNS =
      Set.of("row_id", "begin_snapshot", "end_snapshot");

  private static final Field<Long> FILE = field(name("file_id"), Long.class);
  private static final Field<Long> ROW_ID = field(name("row_id"), Long.class);
  private static final Field<Long> END = field(name("end_snapshot"), Long.class);

  private final DSLContext dsl;
  private final String metadataSchema;
  private final StoredFacts facts;
  private final Writes writes;

  InlinedTables(OpenTransaction transaction, StoredFacts facts, Writes writes) {
    this.dsl = transaction.dsl();
    this.metadataSchema = transaction.lake().key();
    this.facts = facts;
    this.writes = writes;
  }

  private List<String> registered(TableDraft draft) {
    return draft.isCreated() ? List.of() : facts.inlinedTables(draft.id());
  }

  private Table<?> qualified(String tableName) {
    return table(name(metadataSchema, tableName));
  }

  /** Rows that are live now. */
  long liveRows(TableDraft draft) {
    return registered(draft).stream()
        .mapToLong(
            tableName ->
                dsl.fetchCount(dsl.selectOne().from(qualified(tableName)).where(END.isNull())))
        .sum();
  }

  /** Ends every live row and says how many there are. */
  long endRows(TableDraft draft, long snapshotId) {
    long live = liveRows(draft);
    registered(draft)
        .forEach(
            tableName ->
                writes.first(
                    dsl.update(qualified(tableName)).set(END, snapshotId).where(END.isNull())));
    return live;
  }

  /** Ends some live rows; a row id is unique among those of a table. */
  void endRows(TableDraft draft, long snapshotId, List<Long> rowIds) {
    Long[] ids = rowIds.toArray(new Long[0]);
    registered(draft)
        .forEach(
            tableName ->
                writes.first(
                    dsl.update(qualified(tableName))
                        .set(END, snapshotId)
                        .where(END.isNull())
                        .and(ROW_ID.eq(any(ids)))));
  }

  /** Adds positions of data files to those that the catalog has deleted. */
  void deleteRows(TableDraft draft, long snapshotId, List<InlinedDelete> deletes) {
    writes.rows(
        metadataSchema,
        deletesTable(draft),
        List.of("file_id", "row_id", "begin_snapshot"),
        deletes.stream().mapToInt(delete -> delete.positions().size()).sum(),
        rows ->
            deletes.forEach(
                delete ->
                    delete
                        .positions()
                        .forEach(position -> rows.add(delete.dataFileId(), position, snapshotId))));
  }

  /** Those of the row ids whose rows are live. */
  Set<Long> live(TableDraft draft, List<Long> rowIds) {
    Long[] ids = rowIds.toArray(new Long[0]);
    Set<Long> live = new HashSet<>();
    registered(draft)
        .forEach(
            tableName ->
                live.addAll(
                    dsl.select(ROW_ID)
                        .from(qualified(tableName))
                        .where(END.isNull())
                        .and(ROW_ID.eq(any(ids)))
                        .fetchSet(ROW_ID)));
    return live;
  }

  /** Those of the data files of which rows are deleted inside the catalog. */
  Set<Long> withDeletes(TableDraft draft, Collection<Long> dataFileIds) {
    return findDeletes(draft)
        .map(
            deletes ->
                dsl.selectDistinct(FILE)
                    .from(qualified(deletes))
                    .where(FILE.eq(any(dataFileIds.toArray(new Long[0]))))
                    .fetchSet(FILE))
        .orElseGet(Set::of);
  }

  /**
   * True for files of which the catalog holds no deleted rows. The delete file of another one stays
   * open when its data file ends: DuckDB's flush writes those rows into a delete file that begins
   * where the oldest of them does, and takes over what an open one holds. Beside one that has ended
   * there would be two in between, and DuckDB would read the data file's rows twice.
   */
  Condition holdsNoDeletesOf(TableDraft draft, Field<Long> dataFileId) {
    return findDeletes(draft)
        .map(deletes -> dataFileId.notIn(dsl.select(FILE).from(qualified(deletes))))
        .orElseGet(DSL::noCondition);
  }

  /** Rows of live data files that are deleted inside the catalog. */
  long liveDeletes(TableDraft draft) {
    return findDeletes(draft)
        .map(
            deletes ->
                (long)
                    dsl.fetchCount(
                        dsl.selectOne()
                            .from(qualified(deletes))
                            .join(DUCKLAKE_DATA_FILE)
                            .on(DUCKLAKE_DATA_FILE.DATA_FILE_ID.eq(FILE))
                            .where(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())))
        .orElse(0L);
  }

  private static String deletesTable(TableDraft draft) {
    return deletesTable(draft.id());
  }

  /** Where DuckDB keeps deleted rows of a table's files inside the catalog. */
  static String deletesTable(long tableId) {
    return "ducklake_inlined_delete_" + tableId;
  }

  /** That table is not registered: it is there or not. */
  private Optional<String> findDeletes(TableDraft draft) {
    boolean exists = !draft.isCreated() && facts.hasInlinedDeletes(draft.id());
    return exists ? Optional.of(deletesTable(draft)) : Optional.empty();
  }

  /**
   * Makes the empty table of a new shape, just where DuckDB would: it has made such tables before,
   * or it inlines small inserts into this table. A table that it has to make by itself later is not
   * tied to a layout, and columns added in between would be lost.
   */
  void makeForNewLayout(TableDraft draft, long schemaVersion) {
    List<ColumnRow> columns = draft.columns().children(null);
    if (!draft.columns().all().stream().allMatch(InlinedTables::canInline)) {
      return;
    }
    if (registered(draft).isEmpty() && inliningLimit(draft) <= 0) {
      return;
    }
    String tableName = "ducklake_inlined_data_" + draft.id() + "_" + schemaVersion;
    List<String> definitions =
        new ArrayList<>(
            List.of("\"row_id\" bigint", "\"begin_snapshot\" bigint", "\"end_snapshot\" bigint"));
    columns.forEach(
        column -> definitions.add(Names.quoted(column.name()) + " " + postgresType(column)));
    writes.first(
        dsl.query(
            "CREATE TABLE %s.%s (%s)"
                .formatted(
                    Names.quoted(metadataSchema),
                    Names.quoted(tableName),
                    String.join(", ", definitions))));
    writes.first(
        dsl.insertInto(
                DUCKLAKE_INLINED_DATA_TABLES,
                DUCKLAKE_INLINED_DATA_TABLES.TABLE_ID,
                DUCKLAKE_INLINED_DATA_TABLES.TABLE_NAME,
                DUCKLAKE_INLINED_DATA_TABLES.SCHEMA_VERSION)
            .values(draft.id(), tableName, schemaVersion));
  }

  /** How many rows DuckDB inlines: the table's option, the schema's, the lake's, its default. */
  private long inliningLimit(TableDraft draft) {
    long limit = DUCKDB_DEFAULT_LIMIT;
    int found = 0;
    for (var option :
        dsl.select(DUCKLAKE_METADATA.VALUE, DUCKLAKE_METADATA.SCOPE, DUCKLAKE_METADATA.SCOPE_ID)
            .from(DUCKLAKE_METADATA)
            .where(DUCKLAKE_METADATA.KEY.eq("data_inlining_row_limit"))
            .fetch()) {
      int rank = rank(draft, option.value2(), option.value3());
      if (rank > found) {
        found = rank;
        limit = Long.parseLong(option.value1());
      }
    }
    return limit;
  }

  private static int rank(TableDraft draft, @Nullable String scope, @Nullable Long id) {
    if (scope == null) {
      return 1;
    }
    return switch (scope) {
      case "schema" -> id != null && id == draft.identity().schemaId() ? 2 : 0;
      case "table" -> id != null && id == draft.id() ? 3 : 0;
      default -> 0;
    };
  }

  private static boolean canInline(ColumnRow column) {
    boolean named =
        column.parent() != null
            || (column.name().getBytes(StandardCharsets.UTF_8).length <= 63
                && !SYSTEM_COLUMNS.contains(Names.lower(column.name())));
    return named
        && !(column.type() == Scalar.GEOMETRY
            || column.type() == Scalar.VARIANT
            || column.type() == Scalar.TIME_NS);
  }

  /** The types DuckDB gives such columns (ducklake-format 9.2). */
  private static String postgresType(ColumnRow column) {
    return switch (column.type()) {
      case Decimal decimal -> "decimal(%d,%d)".formatted(decimal.precision(), decimal.scale());
      case Nested nested -> "varchar";
      case Scalar scalar ->
          switch (scalar) {
            case VARCHAR, JSON, BLOB -> "bytea";
            case BOOLEAN -> "boolean";
            case INT8, INT16 -> "smallint";
            case INT32, UINT8, UINT16 -> "integer";
            case INT64, UINT32 -> "bigint";
            case FLOAT32 -> "real";
            case FLOAT64 -> "double precision";
            case UUID -> "uuid";
            case TIME -> "time";
            case TIMETZ -> "time with time zone";
            case INTERVAL -> "interval";
            case UINT64,
                INT128,
                UINT128,
                DATE,
                TIMESTAMP,
                TIMESTAMP_US,
                TIMESTAMP_S,
                TIMESTAMP_MS,
                TIMESTAMP_NS,
                TIMESTAMPTZ,
                TIME_NS,
                GEOMETRY,
                VARIANT ->
                "varchar";
          };
    };
  }
}
