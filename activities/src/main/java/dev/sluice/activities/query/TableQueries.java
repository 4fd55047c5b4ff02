package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.read.ScanFile;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs queries that see file tables as relations of their own names and columns. All files are on
 * this machine for as long as it is open. Not thread-safe, but it can be cancelled from any thread.
 */
public final class TableQueries implements AutoCloseable {

  private final Connection connection;
  private final CancellableStatements statements;
  private final List<Lease> leases = new ArrayList<>();

  private TableQueries(Connection connection) {
    this.connection = connection;
    this.statements = new CancellableStatements(connection);
  }

  /**
   * Makes relations of tables.
   *
   * @param tables by the name of the relation
   * @throws QueryException when a file cannot be had or read
   */
  public static TableQueries open(Map<String, FileTable> tables, EngineLimits limits) {
    String all = String.join(" and ", tables.keySet());
    TableQueries queries;
    try {
      queries = new TableQueries(ScanEngine.open(limits));
    } catch (SQLException e) {
      throw QueryErrors.unreadableTable(all, e);
    }
    try {
      for (Map.Entry<String, FileTable> table : tables.entrySet()) {
        queries.addRelation(table.getKey(), table.getValue());
      }
      return queries;
    } catch (SQLException e) {
      QueryException failure = QueryErrors.unreadableTable(all, e);
      queries.closeAfter(failure);
      throw failure;
    } catch (RuntimeException e) {
      queries.closeAfter(e);
      throw e;
    }
  }

  private void addRelation(String name, FileTable table) throws SQLException {
    FileTablePlan plan = new FileTablePlan(table);
    String view = "CREATE VIEW " + Sql.identifier(name) + " AS ";
    if (table.files().isEmpty()) {
      statements.execute(
          view + select(table, column -> Sql.cast("NULL", SqlType.of(column))) + " WHERE FALSE");
      return;
    }
    List<ScanFile> files = plan.scanFiles(table.files());
    Lease lease = table.access().lease(files.stream().flatMap(ScanBatches::wanted).toList());
    leases.add(lease);
    BatchSql sql =
        new BatchSql(
            connection,
            name + "_",
            plan.table(),
            FileTablePlan.SNAPSHOT,
            table.columns(),
            plan.pathTexts(),
            plan.deletedPositions());
    statements.execute(
        view
            + select(table, column -> "t." + ColumnNames.of(column))
            + " FROM ("
            + sql.files(files, lease)
            + ") t");
  }

  private static String select(FileTable table, Function<Column, String> expression) {
    return table.columns().stream()
        .map(column -> expression.apply(column) + " AS " + Sql.identifier(column.name()))
        .collect(Collectors.joining(", ", "SELECT ", ""));
  }

  /**
   * Runs a query for its one number.
   *
   * @param relations names the relation that stands for each of the template's
   * @param parameters values by name, all that the template names; null binds NULL
   * @throws QueryException when it fails or gives anything but one row whose first value is a
   *     finite number
   */
  public BigDecimal number(
      SqlTemplate query,
      UnaryOperator<String> relations,
      Map<String, @Nullable Object> parameters) {
    try (PreparedStatement statement =
        statements.begin(connection.prepareStatement(query.prepared(relations)))) {
      int at = 1;
      for (String name : query.parameters()) {
        statement.setObject(at++, parameters.get(name));
      }
      try (ResultSet result = statement.executeQuery()) {
        return single(result);
      }
    } catch (SQLException e) {
      throw statements.isCancelled()
          ? QueryErrors.cancelled("query")
          : QueryErrors.queryFailed(String.valueOf(e.getMessage()), e);
    } finally {
      statements.end();
    }
  }

  private static BigDecimal single(ResultSet result) throws SQLException {
    if (!result.next()) {
      throw QueryErrors.queryFailed("it gives no row", null);
    }
    BigDecimal number = number(result.getObject(1));
    if (result.next()) {
      throw QueryErrors.queryFailed("it gives more than one row", null);
    }
    return number;
  }

  private static BigDecimal number(@Nullable Object value) {
    return switch (value) {
      case BigDecimal decimal -> decimal;
      case BigInteger whole -> new BigDecimal(whole);
      case Double real when Double.isFinite(real) -> BigDecimal.valueOf(real);
      case Float real when Float.isFinite(real) -> new BigDecimal(real.toString());
      case Long whole -> BigDecimal.valueOf(whole);
      case Integer whole -> BigDecimal.valueOf(whole);
      case Short whole -> BigDecimal.valueOf(whole);
      case Byte whole -> BigDecimal.valueOf(whole);
      case null -> throw QueryErrors.queryFailed("it gives NULL, no number", null);
      default -> throw QueryErrors.queryFailed("it gives " + value + ", no number", null);
    };
  }

  /** Ends a running query soon, from any thread; of no use afterwards. */
  public void cancel() {
    statements.cancel();
  }

  private void closeAfter(RuntimeException failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    try (connection) {
      leases.forEach(Lease::close);
    } catch (SQLException e) {
      throw QueryErrors.queryFailed(String.valueOf(e.getMessage()), e);
    }
  }
}
