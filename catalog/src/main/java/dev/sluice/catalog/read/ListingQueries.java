package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_PARTITION_COLUMN;

import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.Partitioning;
import dev.sluice.catalog.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** What people ask about tables, each with one query. */
final class ListingQueries {

  private ListingQueries() {}

  /** Totals of every table that has data files, by table id. */
  static Map<Long, TableTotals> totals(DSLContext dsl, long snapshotId) {
    Map<Long, TableTotals> totals = new HashMap<>();
    dsl.select(
            DUCKLAKE_DATA_FILE.TABLE_ID,
            DSL.count(),
            DSL.sum(DUCKLAKE_DATA_FILE.RECORD_COUNT),
            DSL.sum(DUCKLAKE_DATA_FILE.FILE_SIZE_BYTES))
        .from(DUCKLAKE_DATA_FILE)
        .where(
            Live.at(snapshotId, DUCKLAKE_DATA_FILE.BEGIN_SNAPSHOT, DUCKLAKE_DATA_FILE.END_SNAPSHOT))
        .groupBy(DUCKLAKE_DATA_FILE.TABLE_ID)
        .forEach(
            row ->
                totals.put(
                    row.value1(),
                    new TableTotals(row.value2(), exact(row.value3()), exact(row.value4()))));
    return totals;
  }

  private static long exact(BigDecimal sum) {
    return sum.longValueExact();
  }

  /** Every spec that the table ever had, by partition id; columns by their newest names. */
  static Map<Long, Partitioning> partitionings(DSLContext dsl, Table table) {
    Map<Long, String> names = new HashMap<>();
    dsl.select(DUCKLAKE_COLUMN.COLUMN_ID, DUCKLAKE_COLUMN.COLUMN_NAME)
        .from(DUCKLAKE_COLUMN)
        .where(DUCKLAKE_COLUMN.TABLE_ID.eq(table.id()))
        .orderBy(DUCKLAKE_COLUMN.BEGIN_SNAPSHOT)
        .forEach(row -> names.put(row.value1(), row.value2()));
    Map<Long, List<PartitionKey>> keys = new HashMap<>();
    dsl.select(
            DUCKLAKE_PARTITION_COLUMN.PARTITION_ID,
            DUCKLAKE_PARTITION_COLUMN.COLUMN_ID,
            DUCKLAKE_PARTITION_COLUMN.TRANSFORM)
        .from(DUCKLAKE_PARTITION_COLUMN)
        .where(DUCKLAKE_PARTITION_COLUMN.TABLE_ID.eq(table.id()))
        .orderBy(DUCKLAKE_PARTITION_COLUMN.PARTITION_KEY_INDEX)
        .forEach(
            row ->
                keys.computeIfAbsent(row.value1(), id -> new ArrayList<>())
                    .add(
                        new PartitionKey(
                            names.getOrDefault(row.value2(), "#" + row.value2()),
                            PartitionTransform.parse(row.value3()))));
    Map<Long, Partitioning> partitionings = new HashMap<>();
    keys.forEach((id, ofSpec) -> partitionings.put(id, new Partitioning(id, ofSpec)));
    return partitionings;
  }
}
