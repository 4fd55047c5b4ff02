package dev.sluice.activities.lake;

import dev.sluice.activities.lake.TableWriter.RowIds;
import dev.sluice.activities.query.DataFiles;
import dev.sluice.activities.query.PlacedRows;
import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.commit.Change;
import dev.sluice.catalog.commit.TableRef;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Plans deletes and updates of rows that are there. One per write; not thread-safe. */
final class RowChanges {

  private static final String BATCH = "changed_batch";

  private final String doing;
  private final CatalogReader catalog;
  private final DataFiles files;
  private final WriteEngine engine;
  private final WriteBase base;
  private final NewObjects objects;

  RowChanges(
      String doing,
      CatalogReader catalog,
      DataFiles files,
      WriteEngine engine,
      WriteBase base,
      NewObjects objects) {
    this.doing = doing;
    this.catalog = catalog;
    this.files = files;
    this.engine = engine;
    this.base = base;
    this.objects = objects;
  }

  ScanPlan scan(Predicate predicate) {
    return catalog.plan(base.snapshot(), base.table(), predicate);
  }

  PlannedWrite delete(RowCondition condition) throws SQLException {
    SqlText.requireExpression(doing, engine, "condition", condition.sql());
    ScanPlan plan = scan(condition.predicate());
    MatchedRows matched = new MatchedRows(doing, engine, plan, files, objects);
    try (PlacedRows rows = new PlacedRows(engine.connection(), plan, files)) {
      for (Optional<String> batch = rows.next(); batch.isPresent(); batch = rows.next()) {
        requireCondition(batch.get(), condition.sql());
        matched.add(batch.get(), condition.sql());
      }
    }
    return new PlannedWrite(matched.changes(), List.of(), 0, 0, matched.count());
  }

  /** Everything that is live ends; no file is opened. */
  PlannedWrite truncate() {
    ScanPlan plan = scan(Predicate.all());
    TableRef table = TableRef.id(base.table().id());
    List<Change> changes = new ArrayList<>();
    long rows = 0;
    if (!plan.files().isEmpty()) {
      changes.add(
          new Change.EndDataFiles(table, plan.files().stream().map(ScanFile::dataFileId).toList()));
      for (ScanFile file : plan.files()) {
        long deleted =
            file.deleteFiles().stream().mapToLong(ScanFile.DeleteFile::deleteCount).sum();
        rows += Math.max(0, file.recordCount() - deleted - file.inlinedDeletes().size());
      }
    }
    List<Long> inlined =
        plan.inlinedRows().stream()
            .flatMap(some -> some.rows().stream())
            .map(row -> row.rowId())
            .toList();
    if (!inlined.isEmpty()) {
      changes.add(new Change.EndInlinedRows(table, inlined));
    }
    return new PlannedWrite(changes, List.of(), 0, 0, rows + inlined.size());
  }

  PlannedWrite update(Map<String, String> values, RowCondition condition) throws SQLException {
    Map<Column, String> set = new LinkedHashMap<>();
    for (Map.Entry<String, String> value : values.entrySet()) {
      SqlText.requireExpression(doing, engine, "value", value.getValue());
      Column column = ColumnFeeds.column(doing, base.table(), value.getKey());
      if (set.put(column, value.getValue()) != null) {
        throw WriteErrors.duplicateColumn(doing, column.name());
      }
    }
    SqlText.requireExpression(doing, engine, "condition", condition.sql());
    ScanPlan plan = scan(condition.predicate());
    MatchedRows matched = new MatchedRows(doing, engine, plan, files, objects);
    List<NewDataFile> written = new ArrayList<>();
    try (PlacedRows rows = new PlacedRows(engine.connection(), plan, files)) {
      for (Optional<String> batch = rows.next(); batch.isPresent(); batch = rows.next()) {
        requireCondition(batch.get(), condition.sql());
        String select =
            "SELECT " + newValues(set, batch.get()) + " FROM (" + batch.get() + ") r WHERE (";
        written.addAll(rewrite(matched, select + condition.sql() + "\n)"));
      }
    }
    return changed(matched, written);
  }

  /** What a write does that gives matched rows new values. */
  PlannedWrite changed(MatchedRows matched, List<NewDataFile> written) throws SQLException {
    List<Change> changes = new ArrayList<>(matched.changes());
    if (!written.isEmpty()) {
      changes.add(new Change.AddDataFiles(TableRef.id(base.table().id()), written));
    }
    return new PlannedWrite(changes, written, 0, matched.count(), 0);
  }

  /**
   * Rows get new values: the old ones are noted, the new ones written, their ids kept.
   *
   * @param select the new values by the table's names and the three places; run once
   */
  List<NewDataFile> rewrite(MatchedRows matched, String select) throws SQLException {
    try {
      engine.execute("CREATE OR REPLACE TEMP TABLE " + BATCH + " AS " + select);
      String batch = "SELECT * FROM " + BATCH;
      matched.add(batch, "TRUE");
      String columns =
          base.table().columns().stream()
              .map(column -> Sql.identifier(column.name()))
              .collect(Collectors.joining(", "));
      return writer()
          .write(
              "SELECT %s, %s AS %s FROM %s"
                  .formatted(columns, PlacedRows.ROW_ID, Sql.identifier(FieldIds.ROW_ID), BATCH),
              RowIds.KEPT);
    } catch (SQLException e) {
      throw WriteErrors.isNoFaultOfTheData(e)
          ? WriteErrors.engineFailed(doing, e)
          : WriteErrors.badData(doing, e);
    }
  }

  TableWriter writer() {
    return new TableWriter(doing, engine, base.table(), base.sortOrder(), base.options(), objects);
  }

  private String newValues(Map<Column, String> set, String batch) {
    List<String> all = new ArrayList<>();
    for (Column column : base.table().columns()) {
      String value = set.get(column);
      String sql =
          value == null
              ? "r." + Sql.identifier(column.name())
              : Assignment.sql(doing, column, "(" + value + "\n)", type(value, batch));
      all.add(StoredValues.exact(column, sql) + " AS " + Sql.identifier(column.name()));
    }
    all.addAll(List.of(PlacedRows.FILE_ID, PlacedRows.POSITION, PlacedRows.ROW_ID));
    return String.join(", ", all);
  }

  private String type(String value, String batch) {
    try {
      return engine
          .query(
              "DESCRIBE SELECT (" + value + "\n) AS v FROM (" + batch + ") r",
              row -> row.getString("column_type"))
          .get(0);
    } catch (SQLException e) {
      throw WriteErrors.badExpression(doing, "value", "'" + value + "'", e);
    }
  }

  private void requireCondition(String batch, String condition) {
    try {
      engine.query(
          "DESCRIBE SELECT 1 FROM (" + batch + ") r WHERE (" + condition + "\n)", row -> row);
    } catch (SQLException e) {
      throw WriteErrors.badExpression(doing, "condition", "'" + condition + "'", e);
    }
  }
}
