package dev.sluice.activities.query;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The result of one query of a scratch engine, which ends with it. */
final class GatheredRows implements ScanRows {

  private final ScratchEngine engine;
  private final Statement statement;
  private final ResultSet result;
  private final List<ScanColumn> columns;
  private final Function<SQLException, QueryException> errors;

  /**
   * Runs a query whose columns are texts.
   *
   * @param columns what the texts are
   * @param errors what a failure is called
   */
  GatheredRows(
      ScratchEngine engine,
      String query,
      List<ScanColumn> columns,
      Function<SQLException, QueryException> errors)
      throws SQLException {
    this.engine = engine;
    this.columns = List.copyOf(columns);
    this.errors = errors;
    this.statement = engine.connection().createStatement();
    this.result = statement.executeQuery(query);
  }

  @Override
  public List<ScanColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() {
    try {
      return result.next();
    } catch (SQLException e) {
      throw errors.apply(e);
    }
  }

  @Override
  public @Nullable String text(int column) {
    try {
      return result.getString(column + 1);
    } catch (SQLException e) {
      throw errors.apply(e);
    }
  }

  @Override
  public void close() {
    try (engine) {
      statement.close();
    } catch (SQLException e) {
      throw errors.apply(e);
    }
  }
}
