package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs one query over a plan, batch by batch. The query sees a relation {@code t} of the columns
 * that were asked for; what it returns for several batches is for the caller to put together. Not
 * thread-safe.
 */
final class ScanSession implements AutoCloseable {

  private final ScanPlan plan;
  private final DataFiles files;
  private final Iterator<List<ScanFile>> batches;
  private final Iterator<InlinedRows> inlined;
  private final Connection connection;
  private final BatchSql sql;
  private @Nullable Lease lease;
  private @Nullable Statement statement;

  private ScanSession(
      ScanPlan plan, List<ScanFile> wanted, DataFiles files, Collection<Column> columns)
      throws SQLException {
    this.plan = plan;
    this.files = files;
    this.batches = ScanBatches.of(wanted, files.leaseBytes()).iterator();
    this.inlined = plan.inlinedRows().iterator();
    this.connection = ScanEngine.open();
    this.sql =
        new BatchSql(
            connection,
            "",
            plan.table(),
            plan.snapshot().id(),
            columns,
            PathTexts.OF_THE_PATH,
            DeletedPositions.INLINED);
  }

  /**
   * A session over some of a plan's files and all of its inlined rows.
   *
   * @param wanted the files to read
   * @param columns the columns of {@code t}
   */
  static ScanSession open(
      ScanPlan plan, List<ScanFile> wanted, DataFiles files, Collection<Column> columns) {
    try {
      return new ScanSession(plan, wanted, files, columns);
    } catch (SQLException e) {
      throw QueryErrors.unreadable(plan.table().name(), plan.snapshot().id(), e);
    }
  }

  /**
   * Runs the query over the next batch.
   *
   * @param select the text before {@code FROM}
   * @param rest the text after the relation, e.g. a condition
   * @return empty when there is no further batch; valid until the next call
   */
  Optional<ResultSet> next(String select, String rest) {
    try {
      release();
      Optional<String> relation = relation();
      if (relation.isEmpty()) {
        return Optional.empty();
      }
      Statement running = connection.createStatement();
      statement = running;
      return Optional.of(
          running.executeQuery("SELECT " + select + " FROM (" + relation.get() + ") t " + rest));
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** The error for a failure while the result of a batch is read. */
  QueryException failed(SQLException cause) {
    return QueryErrors.unreadable(plan.table().name(), plan.snapshot().id(), cause);
  }

  private Optional<String> relation() throws SQLException {
    if (batches.hasNext()) {
      return Optional.of(filesOf(batches.next()));
    }
    return inlined.hasNext() ? Optional.of(sql.inlined(inlined.next())) : Optional.empty();
  }

  private String filesOf(List<ScanFile> batch) throws SQLException {
    Lease held = files.lease(batch.stream().flatMap(ScanBatches::wanted).toList());
    lease = held;
    return sql.files(batch, held);
  }

  private void release() throws SQLException {
    Statement running = statement;
    statement = null;
    Lease held = lease;
    lease = null;
    try {
      if (running != null) {
        running.close();
      }
    } finally {
      if (held != null) {
        held.close();
      }
    }
  }

  @Override
  public void close() {
    try (connection) {
      release();
    } catch (SQLException e) {
      throw failed(e);
    }
  }
}
