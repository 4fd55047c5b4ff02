package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Scans tables of one lake at a snapshot: our plan, read by an embedded DuckDB of its own per scan.
 * Thread-safe; each scan's rows belong to one thread.
 *
 * <p>Besides {@link QueryException}, methods throw what {@link CatalogReader} throws.
 */
public final class LakeScanner {

  private final CatalogReader catalog;
  private final DataFiles files;

  /** A scanner over a lake's catalog and files. */
  public LakeScanner(CatalogReader catalog, DataFiles files) {
    this.catalog = catalog;
    this.files = files;
  }

  /** Reads rows; the caller closes the result. */
  public ScanRows scan(ScanRequest request) {
    Table table = catalog.view(request.snapshot()).table(request.table());
    List<ScanColumn> columns = ScanColumns.of(table, request.columns());
    ScanPlan plan = catalog.plan(request.snapshot(), table, request.predicate());
    Set<Column> read = new LinkedHashSet<>();
    columns.forEach(column -> read.add(column.column()));
    read.addAll(PredicateSql.columns(table, request.predicate()));
    return new BatchedRows(
        ScanSession.open(plan, plan.files(), files, read),
        columns,
        condition(table, request.predicate()),
        request.limit().orElse(Long.MAX_VALUE));
  }

  /**
   * Counts rows; columns and limit of the request mean nothing here. Without a predicate, files
   * that lost no rows count as the catalog says and are not opened.
   */
  public long count(ScanRequest request) {
    Table table = catalog.view(request.snapshot()).table(request.table());
    Predicate predicate = request.predicate();
    ScanPlan plan = catalog.plan(request.snapshot(), table, predicate);
    boolean all = predicate.equals(Predicate.all());
    List<ScanFile> toRead = plan.files().stream().filter(file -> !all || !file.isWhole()).toList();
    long count =
        plan.files().stream()
            .filter(file -> all && file.isWhole())
            .mapToLong(ScanFile::recordCount)
            .sum();
    try (ScanSession session =
        ScanSession.open(plan, toRead, files, PredicateSql.columns(table, predicate))) {
      Optional<ResultSet> batch = session.next("count(*)", condition(table, predicate));
      while (batch.isPresent()) {
        count = Math.addExact(count, single(session, batch.get()));
        batch = session.next("count(*)", condition(table, predicate));
      }
    }
    return count;
  }

  private static long single(ScanSession session, ResultSet result) {
    try {
      result.next();
      return result.getLong(1);
    } catch (SQLException e) {
      throw session.failed(e);
    }
  }

  private static String condition(Table table, Predicate predicate) {
    return "WHERE " + new PredicateSql(table).of(predicate);
  }
}
