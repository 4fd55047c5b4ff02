package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN_TAG;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_METADATA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_PARTITION_COLUMN;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_PARTITION_INFO;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SCHEMA;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SORT_EXPRESSION;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_SORT_INFO;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TAG;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.Partitioning;
import dev.sluice.catalog.Schema;
import dev.sluice.catalog.SortKey;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.internal.LakePath;
import dev.sluice.catalog.read.CatalogContents.ColumnKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Loads schemas, tables and columns with a fixed number of queries, however many there are. */
final class CatalogQueries {

  private static final String DATA_PATH = "data_path";

  private final DSLContext dsl;
  private final long snapshotId;

  private CatalogQueries(DSLContext dsl, long snapshotId) {
    this.dsl = dsl;
    this.snapshotId = snapshotId;
  }

  static CatalogContents load(DSLContext dsl, long snapshotId) {
    return new CatalogQueries(dsl, snapshotId).contents();
  }

  static LakeOptions options(DSLContext dsl) {
    return new LakeOptions(
        dsl.selectFrom(DUCKLAKE_METADATA)
            .fetch(
                row ->
                    new LakeOptions.Option(
                        row.get(DUCKLAKE_METADATA.KEY),
                        row.get(DUCKLAKE_METADATA.VALUE),
                        LakeOptions.Scope.parse(row.get(DUCKLAKE_METADATA.SCOPE)),
                        row.get(DUCKLAKE_METADATA.SCOPE_ID))));
  }

  private CatalogContents contents() {
    Map<Long, Schema> schemas = schemas(options(dsl).find(DATA_PATH).orElse(""));
    Map<Long, List<Column>> columns = columns();
    Map<Long, Partitioning> partitionings = partitionings(columns);
    List<Table> tables = new ArrayList<>();
    dsl.selectFrom(DUCKLAKE_TABLE)
        .where(Live.at(snapshotId, DUCKLAKE_TABLE.BEGIN_SNAPSHOT, DUCKLAKE_TABLE.END_SNAPSHOT))
        .orderBy(DUCKLAKE_TABLE.TABLE_ID)
        .forEach(
            row -> {
              Schema schema = schemas.get(row.get(DUCKLAKE_TABLE.SCHEMA_ID));
              if (schema != null) {
                tables.add(table(row, schema, columns, partitionings));
              }
            });
    return CatalogContents.of(
        List.copyOf(schemas.values()),
        tables,
        ViewQueries.load(dsl, snapshotId, schemas),
        tags(),
        columnComments(),
        sortKeys());
  }

  private static Table table(
      Record row,
      Schema schema,
      Map<Long, List<Column>> columns,
      Map<Long, Partitioning> partitionings) {
    long id = row.get(DUCKLAKE_TABLE.TABLE_ID);
    return new Table(
        id,
        row.get(DUCKLAKE_TABLE.TABLE_UUID),
        new TableName(schema.name(), row.get(DUCKLAKE_TABLE.TABLE_NAME)),
        LakePath.resolve(
            schema.path(), row.get(DUCKLAKE_TABLE.PATH), row.get(DUCKLAKE_TABLE.PATH_IS_RELATIVE)),
        columns.getOrDefault(id, List.of()),
        partitionings.getOrDefault(id, Partitioning.none()));
  }

  private Map<Long, Schema> schemas(String dataPath) {
    Map<Long, Schema> schemas = new LinkedHashMap<>();
    dsl.selectFrom(DUCKLAKE_SCHEMA)
        .where(Live.at(snapshotId, DUCKLAKE_SCHEMA.BEGIN_SNAPSHOT, DUCKLAKE_SCHEMA.END_SNAPSHOT))
        .orderBy(DUCKLAKE_SCHEMA.SCHEMA_ID)
        .forEach(
            row ->
                schemas.put(
                    row.get(DUCKLAKE_SCHEMA.SCHEMA_ID),
                    new Schema(
                        row.get(DUCKLAKE_SCHEMA.SCHEMA_ID),
                        row.get(DUCKLAKE_SCHEMA.SCHEMA_NAME),
                        LakePath.resolve(
                            dataPath,
                            row.get(DUCKLAKE_SCHEMA.PATH),
                            row.get(DUCKLAKE_SCHEMA.PATH_IS_RELATIVE)))));
    return schemas;
  }

  private Map<Long, List<Column>> columns() {
    Map<Long, List<Record>> rows = new HashMap<>();
    dsl.selectFrom(DUCKLAKE_COLUMN)
        .where(Live.at(snapshotId, DUCKLAKE_COLUMN.BEGIN_SNAPSHOT, DUCKLAKE_COLUMN.END_SNAPSHOT))
        .orderBy(DUCKLAKE_COLUMN.TABLE_ID, DUCKLAKE_COLUMN.COLUMN_ORDER)
        .forEach(
            row ->
                rows.computeIfAbsent(row.get(DUCKLAKE_COLUMN.TABLE_ID), id -> new ArrayList<>())
                    .add(row));
    Map<Long, List<Column>> columns = new HashMap<>();
    rows.forEach((tableId, ofTable) -> columns.put(tableId, ColumnTree.of(ofTable)));
    return columns;
  }

  private Map<Long, Partitioning> partitionings(Map<Long, List<Column>> columns) {
    Map<Long, Partitioning> partitionings = new HashMap<>();
    dsl.select(
            DUCKLAKE_PARTITION_INFO.TABLE_ID,
            DUCKLAKE_PARTITION_INFO.PARTITION_ID,
            DUCKLAKE_PARTITION_COLUMN.COLUMN_ID,
            DUCKLAKE_PARTITION_COLUMN.TRANSFORM)
        .from(DUCKLAKE_PARTITION_INFO)
        .leftJoin(DUCKLAKE_PARTITION_COLUMN)
        .on(DUCKLAKE_PARTITION_COLUMN.PARTITION_ID.eq(DUCKLAKE_PARTITION_INFO.PARTITION_ID))
        .where(
            Live.at(
                snapshotId,
                DUCKLAKE_PARTITION_INFO.BEGIN_SNAPSHOT,
                DUCKLAKE_PARTITION_INFO.END_SNAPSHOT))
        .orderBy(
            DUCKLAKE_PARTITION_INFO.PARTITION_ID, DUCKLAKE_PARTITION_COLUMN.PARTITION_KEY_INDEX)
        .forEach(
            row -> {
              long tableId = row.get(DUCKLAKE_PARTITION_INFO.TABLE_ID);
              Partitioning before = partitionings.get(tableId);
              List<PartitionKey> keys = new ArrayList<>(before == null ? List.of() : before.keys());
              Long columnId = row.get(DUCKLAKE_PARTITION_COLUMN.COLUMN_ID);
              if (columnId != null) {
                keys.add(
                    new PartitionKey(
                        name(columns.getOrDefault(tableId, List.of()), columnId),
                        PartitionTransform.parse(row.get(DUCKLAKE_PARTITION_COLUMN.TRANSFORM))));
              }
              partitionings.put(
                  tableId, new Partitioning(row.get(DUCKLAKE_PARTITION_INFO.PARTITION_ID), keys));
            });
    return partitionings;
  }

  private static String name(List<Column> columns, long columnId) {
    return columns.stream()
        .filter(column -> column.id() == columnId)
        .map(Column::name)
        .findFirst()
        // a partition column cannot be dropped; a damaged row must still be seen by its number
        .orElseGet(() -> "#" + columnId);
  }

  private Map<Long, List<SortKey>> sortKeys() {
    Map<Long, List<SortKey>> keys = new HashMap<>();
    dsl.select(
            DUCKLAKE_SORT_INFO.TABLE_ID,
            DUCKLAKE_SORT_EXPRESSION.EXPRESSION,
            DUCKLAKE_SORT_EXPRESSION.SORT_DIRECTION,
            DUCKLAKE_SORT_EXPRESSION.NULL_ORDER)
        .from(DUCKLAKE_SORT_INFO)
        .join(DUCKLAKE_SORT_EXPRESSION)
        .on(DUCKLAKE_SORT_EXPRESSION.SORT_ID.eq(DUCKLAKE_SORT_INFO.SORT_ID))
        .where(
            Live.at(snapshotId, DUCKLAKE_SORT_INFO.BEGIN_SNAPSHOT, DUCKLAKE_SORT_INFO.END_SNAPSHOT))
        .orderBy(DUCKLAKE_SORT_INFO.TABLE_ID, DUCKLAKE_SORT_EXPRESSION.SORT_KEY_INDEX)
        .forEach(
            row ->
                keys.computeIfAbsent(row.value1(), id -> new ArrayList<>())
                    .add(SortKey.parse(row.value2(), row.value3(), row.value4())));
    return keys;
  }

  private Map<Long, Map<String, String>> tags() {
    Map<Long, Map<String, String>> tags = new HashMap<>();
    dsl.selectFrom(DUCKLAKE_TAG)
        .where(Live.at(snapshotId, DUCKLAKE_TAG.BEGIN_SNAPSHOT, DUCKLAKE_TAG.END_SNAPSHOT))
        .and(DUCKLAKE_TAG.VALUE.isNotNull())
        .forEach(
            row ->
                tags.computeIfAbsent(row.get(DUCKLAKE_TAG.OBJECT_ID), id -> new HashMap<>())
                    .put(row.get(DUCKLAKE_TAG.KEY), row.get(DUCKLAKE_TAG.VALUE)));
    tags.replaceAll((id, ofObject) -> Map.copyOf(ofObject));
    return tags;
  }

  private Map<ColumnKey, String> columnComments() {
    Map<ColumnKey, String> comments = new HashMap<>();
    dsl.selectFrom(DUCKLAKE_COLUMN_TAG)
        .where(
            Live.at(
                snapshotId, DUCKLAKE_COLUMN_TAG.BEGIN_SNAPSHOT, DUCKLAKE_COLUMN_TAG.END_SNAPSHOT))
        .and(DUCKLAKE_COLUMN_TAG.KEY.eq("comment"))
        .and(DUCKLAKE_COLUMN_TAG.VALUE.isNotNull())
        .forEach(
            row ->
                comments.put(
                    new ColumnKey(
                        row.get(DUCKLAKE_COLUMN_TAG.TABLE_ID),
                        row.get(DUCKLAKE_COLUMN_TAG.COLUMN_ID)),
                    row.get(DUCKLAKE_COLUMN_TAG.VALUE)));
    return comments;
  }
}
