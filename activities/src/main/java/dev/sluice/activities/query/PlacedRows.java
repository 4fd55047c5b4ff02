package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a plan that match its predicate, each with its place, as relations inside a database
 * of the caller's: batch by batch, as many files at a time as are on this machine. For whoever
 * deletes or rewrites them. Not thread-safe.
 */
public final class PlacedRows implements AutoCloseable {

  /** Id of the row's data file; NULL for a row that the catalog holds. */
  public static final String FILE_ID = "__sluice_file_id";

  /** The row's place in its file, from 0; NULL for a row that the catalog holds. */
  public static final String POSITION = "__sluice_position";

  /** The row's id, which it keeps when it gets new values. */
  public static final String ROW_ID = "__sluice_row_id";

  private final ScanPlan plan;
  private final DataFiles files;
  private final Iterator<List<ScanFile>> batches;
  private final Iterator<InlinedRows> inlined;
  private final BatchSql sql;
  private @Nullable Lease lease;

  /**
   * The rows of a plan.
   *
   * @param duckDb where helping tables are made; nothing else in it is touched
   */
  public PlacedRows(Connection duckDb, ScanPlan plan, DataFiles files) {
    this.plan = plan;
    this.files = files;
    this.batches = ScanBatches.of(plan.files(), files.leaseBytes()).iterator();
    this.inlined = plan.inlinedRows().iterator();
    List<Column> columns = new ArrayList<>(plan.table().columns());
    columns.addAll(List.of(LineageColumns.FILE_ID, LineageColumns.POSITION, LineageColumns.ROW_ID));
    this.sql =
        new BatchSql(
            duckDb,
            "placed_",
            plan.table(),
            plan.snapshot().id(),
            columns,
            PathTexts.OF_THE_PATH,
            DeletedPositions.INLINED);
  }

  /**
   * The next batch.
   *
   * @return a SELECT of the table's columns by their names and of the three places, valid until the
   *     next call; empty when there is no further batch
   * @throws QueryException if a file cannot be had
   */
  public Optional<String> next() throws SQLException {
    release();
    if (batches.hasNext()) {
      List<ScanFile> batch = batches.next();
      Lease held = files.lease(batch.stream().flatMap(ScanBatches::wanted).toList());
      lease = held;
      return Optional.of(named(sql.files(batch, held)));
    }
    return inlined.hasNext() ? Optional.of(named(sql.inlined(inlined.next()))) : Optional.empty();
  }

  private String named(String relation) {
    String columns =
        plan.table().columns().stream()
            .map(column -> "t." + ColumnNames.of(column) + " AS " + Sql.identifier(column.name()))
            .collect(Collectors.joining(", "));
    return "SELECT %s, t.%s AS %s, t.%s AS %s, t.%s AS %s FROM (%s) t WHERE %s"
        .formatted(
            columns,
            ColumnNames.of(LineageColumns.FILE_ID),
            FILE_ID,
            ColumnNames.of(LineageColumns.POSITION),
            POSITION,
            ColumnNames.of(LineageColumns.ROW_ID),
            ROW_ID,
            relation,
            new PredicateSql(plan.table()).of(plan.predicate()));
  }

  private void release() {
    Lease held = lease;
    lease = null;
    if (held != null) {
      held.close();
    }
  }

  @Override
  public void close() {
    release();
  }
}
