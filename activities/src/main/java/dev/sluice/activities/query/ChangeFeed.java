package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.ChangePlan;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.RemovedRows;
import dev.sluice.catalog.read.ScanFile;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The changes of a table between two snapshots, both included: every row that came, and every row
 * that went as it was then. A row that went and came under one row id in one snapshot was updated.
 * In the order of snapshots and row ids. Thread-safe; each result belongs to one thread.
 *
 * <p>Besides {@link QueryException}, methods throw what {@link CatalogReader} throws.
 */
public final class ChangeFeed {

  /** {@code insert}, {@code delete}, {@code update_preimage} or {@code update_postimage}. */
  private static final Column CHANGE_TYPE =
      new Column(
          0, "change_type", Scalar.VARCHAR, Nulls.FORBIDDEN, null, null, null, null, List.of());

  private static final String SNAPSHOT = ColumnNames.of(LineageColumns.SNAPSHOT_ID);
  private static final String ROW = ColumnNames.of(LineageColumns.ROW_ID);

  private final CatalogReader catalog;
  private final DataFiles files;

  /** A feed over a lake's catalog and files. */
  public ChangeFeed(CatalogReader catalog, DataFiles files) {
    this.catalog = catalog;
    this.files = files;
  }

  /**
   * Reads changes; the caller closes the result. Its first columns are {@code snapshot_id}, {@code
   * rowid} and {@code change_type}.
   */
  public ScanRows changes(ChangeRequest request) {
    Table table = catalog.view(request.to()).table(request.table());
    List<ScanColumn> columns = ScanColumns.of(table, request.columns());
    ChangePlan plan = catalog.changes(table, request.from(), request.to());
    Function<SQLException, QueryException> errors =
        cause -> QueryErrors.unreadable(table.name(), request.to().id(), cause);
    try {
      return gathered(plan, columns, request, errors);
    } catch (SQLException e) {
      throw errors.apply(e);
    }
  }

  private ScanRows gathered(
      ChangePlan plan,
      List<ScanColumn> columns,
      ChangeRequest request,
      Function<SQLException, QueryException> errors)
      throws SQLException {
    ScratchEngine engine = ScratchEngine.open();
    try {
      gather(engine, plan, columns);
      return new GatheredRows(engine, query(columns, request), shown(columns), errors);
    } catch (SQLException | RuntimeException e) {
      try {
        engine.close();
      } catch (SQLException onClose) {
        e.addSuppressed(onClose);
      }
      throw e;
    }
  }

  private void gather(ScratchEngine engine, ChangePlan plan, List<ScanColumn> columns)
      throws SQLException {
    List<Column> read =
        Stream.concat(
                Stream.of(LineageColumns.SNAPSHOT_ID, LineageColumns.ROW_ID),
                columns.stream().map(ScanColumn::column))
            .distinct()
            .toList();
    engine.execute(
        read.stream()
            .map(column -> ", " + ColumnNames.of(column) + " " + SqlType.of(column))
            .collect(Collectors.joining("", "CREATE TABLE changes (removed BOOLEAN", ")")));
    BatchSql sql =
        new BatchSql(
            engine.connection(),
            "",
            plan.table(),
            plan.to().id(),
            read,
            PathTexts.OF_THE_PATH,
            DeletedPositions.INLINED);
    Insertion insertion = new Insertion(engine, plan, read);
    for (List<ScanFile> batch : ScanBatches.of(plan.inserted(), files.leaseBytes())) {
      try (Lease lease = files.lease(batch.stream().flatMap(ScanBatches::wanted).toList())) {
        insertion.of(sql.files(batch, lease), false);
      }
    }
    for (List<RemovedRows> batch :
        ScanBatches.of(plan.removed(), ScanBatches::sizeBytes, files.leaseBytes())) {
      try (Lease lease =
          files.lease(
              batch.stream().map(RemovedRows::file).flatMap(ScanBatches::wanted).toList())) {
        Optional<String> removed = sql.removed(batch, lease, plan);
        if (removed.isPresent()) {
          insertion.of(removed.get(), true);
        }
      }
    }
    for (InlinedRows rows : plan.insertedInCatalog()) {
      insertion.of(sql.inlined(rows), false);
    }
    for (InlinedRows rows : plan.removedInCatalog()) {
      insertion.of(sql.inlined(rows), true);
    }
  }

  /** Both kinds are at hand, so each can be looked for among the other. */
  private static String query(List<ScanColumn> columns, ChangeRequest request) {
    List<String> texts = new ArrayList<>();
    texts.add(RowTexts.of(LineageColumns.SNAPSHOT_ID, "t." + SNAPSHOT));
    texts.add(RowTexts.of(LineageColumns.ROW_ID, "t." + ROW));
    texts.add(
        "CASE WHEN o.removed IS NULL THEN CASE WHEN t.removed THEN 'delete' ELSE 'insert' END"
            + " WHEN t.removed THEN 'update_preimage' ELSE 'update_postimage' END");
    columns.forEach(
        each -> texts.add(RowTexts.of(each.column(), "t." + ColumnNames.of(each.column()))));
    String joined =
        "SELECT %1$s FROM changes t LEFT JOIN (SELECT DISTINCT removed, %2$s, %3$s FROM changes) o ON o.removed <> t.removed AND o.%2$s = t.%2$s AND o.%3$s = t.%3$s ORDER BY t.%2$s, t.%3$s, t.removed DESC"
            .formatted(String.join(", ", texts), SNAPSHOT, ROW);
    return request.limit().isPresent() ? joined + " LIMIT " + request.limit().getAsLong() : joined;
  }

  private static List<ScanColumn> shown(List<ScanColumn> columns) {
    List<ScanColumn> shown = new ArrayList<>();
    for (Column each : List.of(LineageColumns.SNAPSHOT_ID, LineageColumns.ROW_ID, CHANGE_TYPE)) {
      shown.add(new ScanColumn(each.name(), each, SqlType.of(each)));
    }
    shown.addAll(columns);
    return shown;
  }

  /** Takes what a relation holds of the range into the gathered changes. */
  private record Insertion(ScratchEngine engine, ChangePlan plan, List<Column> read) {

    void of(String relation, boolean removed) throws SQLException {
      engine.execute(
          read.stream()
              .map(column -> ", t." + ColumnNames.of(column))
              .collect(
                  Collectors.joining(
                      "",
                      "INSERT INTO changes SELECT " + removed,
                      " FROM (%s) t WHERE t.%s BETWEEN %d AND %d"
                          .formatted(relation, SNAPSHOT, plan.from().id(), plan.to().id()))));
    }
  }
}
