package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE_COLUMN_STATS;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE_STATS;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.sum;

import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.commit.TableDraft.Content;
import dev.sluice.catalog.commit.TableDraft.Stats;
import dev.sluice.catalog.internal.jooq.ducklake.tables.records.DucklakeTableColumnStatsRecord;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jspecify.annotations.Nullable;

/**
 * Table-level statistics, which DuckDB answers queries from: wrong ones give wrong answers, absent
 * ones only slower queries. An overwrite and a retype therefore delete the column rows: the union
 * of old and new bounds would be answered as MIN and MAX, new bounds alone would break filters at
 * older snapshots. Not thread-safe.
 */
final class StatisticsRows {

  private final DSLContext dsl;
  private final IdAllocator ids;

  StatisticsRows(DSLContext dsl, IdAllocator ids) {
    this.dsl = dsl;
    this.ids = ids;
  }

  /** Writes what a commit does to a table's statistics, after its files were written. */
  void write(TableDraft table, long nextRowId) {
    boolean replaced = table.content() == Content.REPLACE;
    if (!replaced && table.newFiles().isEmpty()) {
      forgetRetyped(table);
      return;
    }
    ids.statisticsChange();
    Stats before = table.stats();
    if (replaced) {
      forget(table.id());
      Stats live = liveTotals(table.id());
      store(table, before, new Stats(live.recordCount(), nextRowId, live.fileSizeBytes()));
      return;
    }
    forgetRetyped(table);
    long rows = table.newFiles().stream().mapToLong(NewDataFile::recordCount).sum();
    long bytes = table.newFiles().stream().mapToLong(NewDataFile::fileSizeBytes).sum();
    if (before == null) {
      insertColumns(table);
      store(table, null, new Stats(rows, nextRowId, bytes));
    } else {
      updateColumns(table);
      store(
          table,
          before,
          new Stats(before.recordCount() + rows, nextRowId, before.fileSizeBytes() + bytes));
    }
  }

  private Stats liveTotals(long tableId) {
    return dsl.select(sum(DUCKLAKE_DATA_FILE.RECORD_COUNT), sum(DUCKLAKE_DATA_FILE.FILE_SIZE_BYTES))
        .from(DUCKLAKE_DATA_FILE)
        .where(DUCKLAKE_DATA_FILE.TABLE_ID.eq(tableId))
        .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull())
        .fetchSingle(row -> new Stats(whole(row.value1()), 0, whole(row.value2())));
  }

  private static long whole(@Nullable BigDecimal sum) {
    return sum == null ? 0 : sum.longValueExact();
  }

  private void store(TableDraft table, @Nullable Stats before, Stats after) {
    if (before == null) {
      dsl.insertInto(
              DUCKLAKE_TABLE_STATS,
              DUCKLAKE_TABLE_STATS.TABLE_ID,
              DUCKLAKE_TABLE_STATS.RECORD_COUNT,
              DUCKLAKE_TABLE_STATS.NEXT_ROW_ID,
              DUCKLAKE_TABLE_STATS.FILE_SIZE_BYTES)
          .values(table.id(), after.recordCount(), after.nextRowId(), after.fileSizeBytes())
          .execute();
    } else {
      dsl.update(DUCKLAKE_TABLE_STATS)
          .set(DUCKLAKE_TABLE_STATS.RECORD_COUNT, after.recordCount())
          .set(DUCKLAKE_TABLE_STATS.NEXT_ROW_ID, after.nextRowId())
          .set(DUCKLAKE_TABLE_STATS.FILE_SIZE_BYTES, after.fileSizeBytes())
          .where(DUCKLAKE_TABLE_STATS.TABLE_ID.eq(table.id()))
          .execute();
    }
  }

  private void forget(long tableId) {
    dsl.deleteFrom(DUCKLAKE_TABLE_COLUMN_STATS)
        .where(DUCKLAKE_TABLE_COLUMN_STATS.TABLE_ID.eq(tableId))
        .execute();
  }

  private void forgetRetyped(TableDraft table) {
    if (table.isCreated()) {
      return;
    }
    List<Long> retyped = retyped(table);
    if (retyped.isEmpty()) {
      return;
    }
    int deleted =
        dsl.deleteFrom(DUCKLAKE_TABLE_COLUMN_STATS)
            .where(DUCKLAKE_TABLE_COLUMN_STATS.TABLE_ID.eq(table.id()))
            .and(DUCKLAKE_TABLE_COLUMN_STATS.COLUMN_ID.in(retyped))
            .execute();
    if (deleted > 0) {
      ids.statisticsChange();
    }
  }

  private static List<Long> retyped(TableDraft table) {
    Map<Long, ColumnRow> begun = new HashMap<>();
    table.columns().begun().forEach(row -> begun.put(row.id(), row));
    return table.columns().ended().stream()
        .filter(
            old -> {
              ColumnRow now = begun.get(old.id());
              return now != null && !now.type().equals(old.type());
            })
        .map(ColumnRow::id)
        .toList();
  }

  private void insertColumns(TableDraft table) {
    Map<Long, LeafSummary> summaries = new LinkedHashMap<>();
    table
        .columns()
        .leaves()
        .forEach(leaf -> summaries.put(leaf.id(), LeafSummary.ofNothing(leaf.type())));
    addFiles(table, summaries);
    dsl.insertInto(
            DUCKLAKE_TABLE_COLUMN_STATS,
            DUCKLAKE_TABLE_COLUMN_STATS.TABLE_ID,
            DUCKLAKE_TABLE_COLUMN_STATS.COLUMN_ID,
            DUCKLAKE_TABLE_COLUMN_STATS.CONTAINS_NULL,
            DUCKLAKE_TABLE_COLUMN_STATS.CONTAINS_NAN,
            DUCKLAKE_TABLE_COLUMN_STATS.MIN_VALUE,
            DUCKLAKE_TABLE_COLUMN_STATS.MAX_VALUE)
        .valuesOfRows(
            summaries.entrySet().stream()
                .map(
                    leaf ->
                        row(
                            table.id(),
                            leaf.getKey(),
                            leaf.getValue().containsNull(),
                            leaf.getValue().containsNan(),
                            leaf.getValue().min(),
                            leaf.getValue().max()))
                .toList())
        .execute();
  }

  /** Only rows that are there: a column without one (added later, overwritten) stays without. */
  private void updateColumns(TableDraft table) {
    Map<Long, ColumnRow> leaves = new HashMap<>();
    table.columns().leaves().forEach(leaf -> leaves.put(leaf.id(), leaf));
    Map<Long, LeafSummary> summaries = new LinkedHashMap<>();
    for (DucklakeTableColumnStatsRecord row :
        dsl.selectFrom(DUCKLAKE_TABLE_COLUMN_STATS)
            .where(DUCKLAKE_TABLE_COLUMN_STATS.TABLE_ID.eq(table.id()))
            .fetch()) {
      ColumnRow leaf = leaves.get(row.getColumnId());
      if (leaf != null) {
        summaries.put(
            leaf.id(),
            LeafSummary.stored(
                leaf.type(),
                row.getContainsNull(),
                row.getContainsNan(),
                row.getMinValue(),
                row.getMaxValue()));
      }
    }
    if (summaries.isEmpty()) {
      return;
    }
    addFiles(table, summaries);
    dsl.batch(
            summaries.entrySet().stream()
                .map(leaf -> update(table.id(), leaf.getKey(), leaf.getValue()))
                .toList())
        .execute();
  }

  private Query update(long tableId, long columnId, LeafSummary summary) {
    return dsl.update(DUCKLAKE_TABLE_COLUMN_STATS)
        .set(DUCKLAKE_TABLE_COLUMN_STATS.CONTAINS_NULL, summary.containsNull())
        .set(DUCKLAKE_TABLE_COLUMN_STATS.CONTAINS_NAN, summary.containsNan())
        .set(DUCKLAKE_TABLE_COLUMN_STATS.MIN_VALUE, summary.min())
        .set(DUCKLAKE_TABLE_COLUMN_STATS.MAX_VALUE, summary.max())
        .where(DUCKLAKE_TABLE_COLUMN_STATS.TABLE_ID.eq(tableId))
        .and(DUCKLAKE_TABLE_COLUMN_STATS.COLUMN_ID.eq(columnId));
  }

  private static void addFiles(TableDraft table, Map<Long, LeafSummary> summaries) {
    Map<List<String>, Long> ids = new HashMap<>();
    for (NewDataFile file : table.newFiles()) {
      Set<Long> unknown = new HashSet<>(summaries.keySet());
      for (LeafStatistics statistics : file.statistics()) {
        Long id =
            ids.computeIfAbsent(statistics.column(), path -> table.columns().require(path).id());
        LeafSummary summary = summaries.get(id);
        if (summary != null && unknown.remove(id)) {
          summary.add(statistics);
        }
      }
      unknown.forEach(id -> nonNull(summaries, id).add(null));
    }
  }

  private static LeafSummary nonNull(Map<Long, LeafSummary> summaries, Long id) {
    return Objects.requireNonNull(summaries.get(id));
  }
}
