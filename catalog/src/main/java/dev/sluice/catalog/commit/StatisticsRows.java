package dev.sluice.catalog.commit;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_DATA_FILE;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE_COLUMN_STATS;
import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_TABLE_STATS;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.val;

import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.commit.TableDraft.Content;
import dev.sluice.catalog.commit.TableDraft.Stats;
import dev.sluice.catalog.internal.jooq.ducklake.tables.records.DucklakeTableColumnStatsRecord;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Table-level statistics, which DuckDB answers queries from: wrong ones give wrong answers, absent
 * ones only slower queries. An overwrite and a retype therefore delete the column rows: the union
 * of old and new bounds would be answered as MIN and MAX, new bounds alone would break filters at
 * older snapshots. Not thread-safe.
 */
final class StatisticsRows {

  /** One row changes one column's statistics. */
  private static final String COLUMN_ROW =
      "(?::bigint, ?::bigint, ?::boolean, ?::boolean, ?::varchar, ?::varchar)";

  private static final String COLUMN_TAIL =
      ") AS now (table_id, column_id, contains_null, contains_nan, min_value, max_value)"
          + " WHERE stored.table_id = now.table_id AND stored.column_id = now.column_id";

  /** One row changes one table's statistics. */
  private static final String TABLE_ROW = "(?::bigint, ?::bigint, ?::bigint, ?::bigint)";

  private static final String TABLE_TAIL =
      ") AS now (table_id, record_count, next_row_id, file_size_bytes)"
          + " WHERE stored.table_id = now.table_id";

  private final DSLContext dsl;
  private final String schema;
  private final StoredFacts facts;
  private final Writes writes;
  private final IdAllocator ids;

  StatisticsRows(DSLContext dsl, String schema, StoredFacts facts, Writes writes, IdAllocator ids) {
    this.dsl = dsl;
    this.schema = schema;
    this.facts = facts;
    this.writes = writes;
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
    long rows = table.newFiles().stream().mapToLong(NewDataFile::recordCount).sum();
    long bytes = table.newFiles().stream().mapToLong(NewDataFile::fileSizeBytes).sum();
    if (replaced) {
      forget(table);
      store(table, before, new Stats(rows, nextRowId, bytes));
      if (!table.keptFiles().isEmpty()) {
        storeLiveTotals(table, nextRowId);
      }
    } else if (before == null) {
      forgetRetyped(table);
      insertColumns(table);
      store(table, null, new Stats(rows, nextRowId, bytes));
    } else {
      forgetRetyped(table);
      updateColumns(table);
      store(
          table,
          before,
          new Stats(before.recordCount() + rows, nextRowId, before.fileSizeBytes() + bytes));
    }
  }

  /** What files hold that keep their rows, the database adds to what is new. */
  private void storeLiveTotals(TableDraft table, long nextRowId) {
    writes.last(
        dsl.update(DUCKLAKE_TABLE_STATS)
            .set(
                row(
                    DUCKLAKE_TABLE_STATS.RECORD_COUNT,
                    DUCKLAKE_TABLE_STATS.FILE_SIZE_BYTES,
                    DUCKLAKE_TABLE_STATS.NEXT_ROW_ID),
                dsl.select(
                        sum(DUCKLAKE_DATA_FILE.RECORD_COUNT).cast(Long.class),
                        sum(DUCKLAKE_DATA_FILE.FILE_SIZE_BYTES).cast(Long.class),
                        val(nextRowId))
                    .from(DUCKLAKE_DATA_FILE)
                    .where(DUCKLAKE_DATA_FILE.TABLE_ID.eq(table.id()))
                    .and(DUCKLAKE_DATA_FILE.END_SNAPSHOT.isNull()))
            .where(DUCKLAKE_TABLE_STATS.TABLE_ID.eq(table.id())));
  }

  private void store(TableDraft table, @Nullable Stats before, Stats after) {
    RowStatement statement =
        before == null
            ? RowStatement.insert(
                schema,
                "ducklake_table_stats",
                List.of("table_id", "record_count", "next_row_id", "file_size_bytes"))
            : new RowStatement(
                "UPDATE %s.ducklake_table_stats AS stored SET record_count = now.record_count,"
                        .formatted(Names.quoted(schema))
                    + " next_row_id = now.next_row_id, file_size_bytes = now.file_size_bytes"
                    + " FROM (VALUES ",
                TABLE_ROW,
                TABLE_TAIL);
    writes.row(
        statement, table.id(), after.recordCount(), after.nextRowId(), after.fileSizeBytes());
  }

  private void forget(TableDraft table) {
    if (!table.isCreated() && !facts.columnStats(table.id()).isEmpty()) {
      writes.first(
          dsl.deleteFrom(DUCKLAKE_TABLE_COLUMN_STATS)
              .where(DUCKLAKE_TABLE_COLUMN_STATS.TABLE_ID.eq(table.id())));
    }
  }

  private void forgetRetyped(TableDraft table) {
    if (table.isCreated()) {
      return;
    }
    List<Long> retyped = retyped(table);
    if (retyped.isEmpty()) {
      return;
    }
    boolean stored =
        facts.columnStats(table.id()).stream().anyMatch(row -> retyped.contains(row.getColumnId()));
    if (stored) {
      writes.first(
          dsl.deleteFrom(DUCKLAKE_TABLE_COLUMN_STATS)
              .where(DUCKLAKE_TABLE_COLUMN_STATS.TABLE_ID.eq(table.id()))
              .and(DUCKLAKE_TABLE_COLUMN_STATS.COLUMN_ID.in(retyped)));
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
    summaries.values().removeIf(LeafSummary::isWithoutBounds);
    RowStatement insert =
        RowStatement.insert(
            schema,
            "ducklake_table_column_stats",
            List.of(
                "table_id",
                "column_id",
                "contains_null",
                "contains_nan",
                "min_value",
                "max_value"));
    writeColumns(table, insert, summaries);
  }

  private void writeColumns(
      TableDraft table, RowStatement statement, Map<Long, LeafSummary> summaries) {
    summaries.forEach(
        (columnId, summary) ->
            writes.row(
                statement,
                table.id(),
                columnId,
                summary.containsNull(),
                summary.containsNan(),
                summary.min(),
                summary.max()));
  }

  /** Only rows that are there: a column without one (added later, overwritten) stays without. */
  private void updateColumns(TableDraft table) {
    Map<Long, ColumnRow> leaves = new HashMap<>();
    table.columns().leaves().forEach(leaf -> leaves.put(leaf.id(), leaf));
    Map<Long, LeafSummary> summaries = new LinkedHashMap<>();
    List<Long> retyped = retyped(table);
    for (DucklakeTableColumnStatsRecord stored : facts.columnStats(table.id())) {
      ColumnRow leaf = leaves.get(stored.getColumnId());
      if (leaf != null && !retyped.contains(leaf.id())) {
        summaries.put(
            leaf.id(),
            LeafSummary.stored(
                leaf.type(),
                stored.getContainsNull(),
                stored.getContainsNan(),
                stored.getMinValue(),
                stored.getMaxValue()));
      }
    }
    if (summaries.isEmpty()) {
      return;
    }
    addFiles(table, summaries);
    forgetUnknown(table, summaries);
    RowStatement update =
        new RowStatement(
            "UPDATE %s.ducklake_table_column_stats AS stored SET".formatted(Names.quoted(schema))
                + " contains_null = now.contains_null, contains_nan = now.contains_nan,"
                + " min_value = now.min_value, max_value = now.max_value FROM (VALUES ",
            COLUMN_ROW,
            COLUMN_TAIL);
    writeColumns(table, update, summaries);
  }

  /** A column without a row stays without one. */
  private void forgetUnknown(TableDraft table, Map<Long, LeafSummary> summaries) {
    List<Long> unknown =
        summaries.keySet().stream().filter(id -> nonNull(summaries, id).isWithoutBounds()).toList();
    if (!unknown.isEmpty()) {
      summaries.keySet().removeAll(unknown);
      writes.first(
          dsl.deleteFrom(DUCKLAKE_TABLE_COLUMN_STATS)
              .where(DUCKLAKE_TABLE_COLUMN_STATS.TABLE_ID.eq(table.id()))
              .and(DUCKLAKE_TABLE_COLUMN_STATS.COLUMN_ID.in(unknown)));
    }
  }

  private static void addFiles(TableDraft table, Map<Long, LeafSummary> summaries) {
    Map<List<String>, Long> ids = new HashMap<>();
    for (NewDataFile file : table.newFiles()) {
      for (LeafStatistics statistics : file.statistics()) {
        Long id =
            ids.computeIfAbsent(statistics.column(), path -> table.columns().require(path).id());
        LeafSummary summary = summaries.get(id);
        if (summary != null) {
          summary.add(statistics);
        }
      }
    }
    // no file tells of a column twice, so that whoever got fewer is unknown in some file
    int files = table.newFiles().size();
    summaries.values().stream()
        .filter(summary -> summary.files() < files)
        .forEach(summary -> summary.add(null));
  }

  private static LeafSummary nonNull(Map<Long, LeafSummary> summaries, Long id) {
    return Objects.requireNonNull(summaries.get(id));
  }
}
