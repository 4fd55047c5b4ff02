package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.activities.query.TableFacts.Range;
import dev.sluice.activities.query.TableFacts.Wanted;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.read.ScanFile;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a file table through an embedded DuckDB of its own, batch by batch, each row once. Not
 * thread-safe, but it can be cancelled from any thread.
 */
public final class FileTableReader implements AutoCloseable {

  private final FileTable table;
  private final Connection connection;
  private final CancellableStatements statements;

  private FileTableReader(FileTable table, Connection connection) {
    this.table = table;
    this.connection = connection;
    this.statements = new CancellableStatements(connection);
  }

  /**
   * Opens a reader.
   *
   * @throws QueryException when DuckDB does not start
   */
  public static FileTableReader open(FileTable table, EngineLimits limits) {
    try {
      return new FileTableReader(table, ScanEngine.open(limits));
    } catch (SQLException e) {
      throw QueryErrors.unreadableTable(table.name(), e);
    }
  }

  /**
   * Reads every file once and finds out what is wanted.
   *
   * @throws QueryException when a file cannot be had or read, or reading was cancelled
   */
  public TableFacts read(Wanted wanted) {
    try {
      FileTablePlan plan = new FileTablePlan(table);
      BatchSql sql =
          new BatchSql(
              connection,
              "",
              plan.table(),
              FileTablePlan.SNAPSHOT,
              wanted.columns(),
              plan.pathTexts(),
              plan.deletedPositions());
      FactsSql facts = new FactsSql(wanted);
      boolean first = true;
      for (List<TableFile> batch : plan.batches(table.access().leaseBytes())) {
        List<ScanFile> files = plan.scanFiles(batch);
        try (Lease lease =
            table.access().lease(files.stream().flatMap(ScanBatches::wanted).toList())) {
          collect(
              wanted,
              facts,
              sql.files(files, lease),
              first ? "CREATE TABLE %s AS " : "INSERT INTO %s ");
        }
        first = false;
      }
      return first ? wanted.ofNoRows() : total(wanted, facts);
    } catch (SQLException e) {
      throw statements.isCancelled()
          ? QueryErrors.cancelled(table.name())
          : QueryErrors.unreadableTable(table.name(), e);
    }
  }

  private void collect(Wanted wanted, FactsSql facts, String relation, String into)
      throws SQLException {
    statements.execute(into.formatted(FactsSql.PARTIAL) + facts.partial(relation));
    for (Column column : wanted.distinct()) {
      statements.execute(
          into.formatted(FactsSql.distinct(column)) + FactsSql.distinctOf(column, relation));
    }
    for (Column column : wanted.groups()) {
      statements.execute(
          into.formatted(FactsSql.groups(column)) + FactsSql.groupsOf(column, relation));
    }
  }

  private TableFacts total(Wanted wanted, FactsSql facts) throws SQLException {
    Map<String, BigInteger> digests = new HashMap<>();
    Map<String, Long> nulls = new HashMap<>();
    Map<String, Range> ranges = new HashMap<>();
    Map<String, Long> distinct = new HashMap<>();
    Map<String, Map<Optional<String>, Long>> groups = new HashMap<>();
    for (Column column : wanted.distinct()) {
      distinct.put(
          column.name(),
          statements.query(FactsSql.distinctTotal(column), FileTableReader::singleNumber));
    }
    for (Column column : wanted.groups()) {
      groups.put(
          column.name(), statements.query(FactsSql.groupsTotal(column), FileTableReader::groups));
    }
    return statements.query(
        facts.total(),
        row -> {
          row.next();
          int at = 3;
          for (Column column : wanted.digests()) {
            digests.put(column.name(), digest(row, at++));
          }
          for (Column column : wanted.nulls()) {
            nulls.put(column.name(), Long.valueOf(row.getString(at++)));
          }
          for (Column column : wanted.ranges()) {
            ranges.put(column.name(), new Range(row.getString(at++), row.getString(at++)));
          }
          return new TableFacts(
              Long.parseLong(row.getString(1), 10),
              digest(row, 2),
              digests,
              nulls,
              ranges,
              distinct,
              groups);
        });
  }

  /** The sum over no rows is NULL. */
  private static BigInteger digest(ResultSet row, int at) throws SQLException {
    String text = row.getString(at);
    return text == null ? BigInteger.ZERO : new BigInteger(text);
  }

  private static long singleNumber(ResultSet result) throws SQLException {
    result.next();
    return Long.parseLong(result.getString(1), 10);
  }

  private static Map<Optional<String>, Long> groups(ResultSet result) throws SQLException {
    Map<Optional<String>, Long> groups = new HashMap<>();
    while (result.next()) {
      groups.put(Optional.ofNullable(result.getString(1)), Long.valueOf(result.getString(2)));
    }
    return groups;
  }

  /** Ends reading soon, from any thread; the reader is of no use afterwards. */
  public void cancel() {
    statements.cancel();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw QueryErrors.unreadableTable(table.name(), e);
    }
  }
}
