package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_INLINED_DATA_TABLES;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA_VERSIONS;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SNAPSHOT;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.Cursor;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.Record3;
import org.jooq.impl.SQLDataType;

/** Reads the rows and the deletes that a writer left in the catalog (ducklake-format 8.2 and 9). */
final class InlinedQueries {

  private static final String ROW_ID = "row_id";
  private static final String BEGIN = "begin_snapshot";
  private static final String END = "end_snapshot";

  /** Row id and first snapshot come before a row's values. */
  private static final int FIRST_VALUE = 2;

  /** Positions that are read at a time, some 100 bytes each. */
  private static final int FETCHED = 10_000;

  private static final String BYTES = "bytea";
  private static final String INTERVAL = "interval";

  /**
   * PostgreSQL's own text of an interval follows a setting, and DuckDB reads none of its styles.
   */
  private static final String INTERVAL_TEXT =
      "(extract(year from {0}) * 12 + extract(month from {0}))::bigint || ' months '"
          + " || extract(day from {0})::bigint || ' days '"
          + " || (extract(hour from {0}) * 3600000000 + extract(minute from {0}) * 60000000"
          + " + extract(microseconds from {0}))::bigint || ' microseconds'";

  private static final Field<Long> ROW_ID_FIELD = field(name(ROW_ID), Long.class);
  private static final Field<Long> BEGIN_FIELD = field(name(BEGIN), Long.class);
  private static final Field<Long> END_FIELD = field(name(END), Long.class);

  private final DSLContext dsl;
  private final String metadataSchema;
  private final long snapshotId;
  private final Table lakeTable;

  InlinedQueries(DSLContext dsl, String metadataSchema, long snapshotId, Table lakeTable) {
    this.dsl = dsl;
    this.metadataSchema = metadataSchema;
    this.snapshotId = snapshotId;
    this.lakeTable = lakeTable;
  }

  /** Deleted positions by data file, ascending. */
  Map<Long, List<Long>> deletes() {
    Map<Long, List<Long>> positions = new HashMap<>();
    eachDelete(
        row -> {
          List<Long> ofFile = positions.computeIfAbsent(row.value1(), id -> new ArrayList<>());
          if (ofFile.isEmpty() || !row.value2().equals(ofFile.getLast())) {
            ofFile.add(row.value2());
          }
        });
    return positions;
  }

  /** The same with the snapshots that deleted them. */
  Map<Long, List<DeletedPosition>> deletedPositions() {
    Map<Long, List<DeletedPosition>> deletes = new HashMap<>();
    eachDelete(
        row ->
            deletes
                .computeIfAbsent(row.value1(), id -> new ArrayList<>())
                .add(new DeletedPosition(row.value2(), row.value3())));
    return deletes;
  }

  /**
   * File, position and snapshot, in this order. The table is not registered anywhere. Its rows come
   * a few at a time: as a whole, as jOOQ holds them, millions would not fit.
   */
  private void eachDelete(Consumer<Record3<Long, Long, Long>> reader) {
    String tableName = "ducklake_inlined_delete_" + lakeTable.id();
    if (postgresColumns(tableName).isEmpty()) {
      return;
    }
    Field<Long> file = field(name("file_id"), Long.class);
    try (Cursor<Record3<Long, Long, Long>> rows =
        dsl.select(file, ROW_ID_FIELD, BEGIN_FIELD)
            .from(table(qualified(tableName)))
            .where(BEGIN_FIELD.le(snapshotId))
            .orderBy(file, ROW_ID_FIELD, BEGIN_FIELD)
            .fetchSize(FETCHED)
            .fetchLazy()) {
      rows.forEach(reader);
    }
  }

  /** The live rows of every registered table; tables without any are left out. */
  List<InlinedRows> rows() {
    return rows(Live.at(snapshotId, BEGIN_FIELD, END_FIELD), BEGIN_FIELD);
  }

  /** The rows that came from a snapshot on, whether they are still there or not. */
  List<InlinedRows> inserted(long from) {
    return rows(BEGIN_FIELD.between(from, snapshotId), BEGIN_FIELD);
  }

  /** The rows that were removed from a snapshot on. */
  List<InlinedRows> removed(long from) {
    return rows(END_FIELD.between(from, snapshotId), END_FIELD);
  }

  private List<InlinedRows> rows(Condition which, Field<Long> snapshot) {
    return dsl
        .selectFrom(DUCKLAKE_INLINED_DATA_TABLES)
        .where(DUCKLAKE_INLINED_DATA_TABLES.TABLE_ID.eq(lakeTable.id()))
        .orderBy(DUCKLAKE_INLINED_DATA_TABLES.SCHEMA_VERSION)
        .fetch()
        .stream()
        .map(
            row ->
                rows(
                    row.get(DUCKLAKE_INLINED_DATA_TABLES.TABLE_NAME),
                    row.get(DUCKLAKE_INLINED_DATA_TABLES.SCHEMA_VERSION),
                    which,
                    snapshot))
        .filter(found -> !found.rows().isEmpty())
        .toList();
  }

  private InlinedRows rows(
      String tableName, long schemaVersion, Condition which, Field<Long> snapshot) {
    Map<String, String> types = postgresColumns(tableName);
    List<Column> columns =
        columnsAt(schemaVersion, types.keySet()).stream()
            .filter(column -> types.containsKey(column.name()))
            .toList();
    List<Field<?>> selected = new ArrayList<>(List.of(ROW_ID_FIELD, snapshot));
    columns.forEach(column -> selected.add(text(column, types)));
    List<InlinedRows.Row> rows =
        dsl.select(selected)
            .from(table(qualified(tableName)))
            .where(which)
            .orderBy(ROW_ID_FIELD)
            .fetch()
            .map(
                row ->
                    new InlinedRows.Row(
                        row.get(ROW_ID_FIELD), row.get(snapshot), values(row, columns, types)));
    return new InlinedRows(tableName, columns, rows);
  }

  private static Field<String> text(Column column, Map<String, String> types) {
    Field<?> stored = field(name(column.name()));
    String type = types.getOrDefault(column.name(), "");
    return switch (type) {
      case BYTES -> field("encode({0}, 'hex')", SQLDataType.VARCHAR, stored);
      case INTERVAL -> field(INTERVAL_TEXT, SQLDataType.VARCHAR, stored);
      default -> stored.cast(SQLDataType.CLOB);
    };
  }

  private static List<Optional<String>> values(
      Record row, List<Column> columns, Map<String, String> types) {
    List<Optional<String>> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      boolean isHex = BYTES.equals(types.get(column.name()));
      values.add(
          Optional.ofNullable((String) row.get(i + FIRST_VALUE))
              .map(text -> value(column, text, isHex)));
    }
    return values;
  }

  private static String value(Column column, String text, boolean isHex) {
    if (isHex) {
      return column.type() == Scalar.BLOB ? HexText.blob(text) : HexText.utf8(text);
    }
    return InlinedStructText.isNeeded(column) ? InlinedStructText.repaired(text) : text;
  }

  /**
   * The columns that the inlined table was made for. Several snapshots may claim to be the one: the
   * recorded schema version comes first, then the first snapshot of that version (a table made on
   * demand has no record), then the table's own first snapshot, which is all that DuckDB tries. The
   * first whose columns are the ones that the table really has is right.
   */
  private List<Column> columnsAt(long schemaVersion, Set<String> stored) {
    List<Column> best = List.of();
    for (long candidate : candidates(schemaVersion)) {
      List<Column> columns = columnsOf(candidate);
      Set<String> names = columns.stream().map(Column::name).collect(Collectors.toSet());
      Set<String> storedColumns = new HashSet<>(stored);
      storedColumns.removeAll(Set.of(ROW_ID, BEGIN, END));
      if (names.equals(storedColumns)) {
        return columns;
      }
      best = best.isEmpty() ? columns : best;
    }
    return best;
  }

  private Set<Long> candidates(long schemaVersion) {
    Set<Long> candidates = new LinkedHashSet<>();
    candidates.addAll(
        dsl.select(DUCKLAKE_SCHEMA_VERSIONS.BEGIN_SNAPSHOT)
            .from(DUCKLAKE_SCHEMA_VERSIONS)
            .where(DUCKLAKE_SCHEMA_VERSIONS.TABLE_ID.eq(lakeTable.id()))
            .and(DUCKLAKE_SCHEMA_VERSIONS.SCHEMA_VERSION.eq(schemaVersion))
            .fetch(DUCKLAKE_SCHEMA_VERSIONS.BEGIN_SNAPSHOT));
    dsl.select(min(DUCKLAKE_SNAPSHOT.SNAPSHOT_ID))
        .from(DUCKLAKE_SNAPSHOT)
        .where(DUCKLAKE_SNAPSHOT.SCHEMA_VERSION.eq(schemaVersion))
        .fetchOptional(row -> row.value1())
        .ifPresent(candidates::add);
    dsl.select(min(DUCKLAKE_TABLE.BEGIN_SNAPSHOT))
        .from(DUCKLAKE_TABLE)
        .where(DUCKLAKE_TABLE.TABLE_ID.eq(lakeTable.id()))
        .fetchOptional(row -> row.value1())
        .ifPresent(candidates::add);
    return candidates;
  }

  private List<Column> columnsOf(long snapshot) {
    return ColumnTree.of(
        dsl.selectFrom(DUCKLAKE_COLUMN)
            .where(DUCKLAKE_COLUMN.TABLE_ID.eq(lakeTable.id()))
            .and(Live.at(snapshot, DUCKLAKE_COLUMN.BEGIN_SNAPSHOT, DUCKLAKE_COLUMN.END_SNAPSHOT))
            .orderBy(DUCKLAKE_COLUMN.COLUMN_ORDER)
            .fetch());
  }

  /** PostgreSQL's columns and types of a table; empty when there is no such table. */
  private Map<String, String> postgresColumns(String tableName) {
    Map<String, String> types = new LinkedHashMap<>();
    Field<String> columnName = field(name("column_name"), String.class);
    Field<String> dataType = field(name("data_type"), String.class);
    dsl.select(columnName, dataType)
        .from(table(name("information_schema", "columns")))
        .where(field(name("table_schema"), String.class).eq(metadataSchema))
        .and(field(name("table_name"), String.class).eq(tableName))
        .orderBy(field(name("ordinal_position")))
        .forEach(row -> types.put(row.value1(), row.value2()));
    return types;
  }

  private Name qualified(String tableName) {
    return name(metadataSchema, tableName);
  }
}
