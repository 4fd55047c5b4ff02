package dev.sluice.activities.query;

import dev.sluice.activities.query.SelectText.Reads;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.read.CatalogReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Answers one SELECT over tables and views of a lake at a snapshot: our plans of the tables, read
 * by an embedded DuckDB of its own. Nothing but the lake is read, and nothing is written.
 * Thread-safe; each result belongs to one thread.
 *
 * <p>Besides {@link QueryException}, methods throw what {@link CatalogReader} throws.
 */
public final class LakeSql {

  /** What a reader of results may want to tell apart; everything else is text to it. */
  private static final Map<String, ColumnType> TYPES =
      Map.of(
          "BOOLEAN", Scalar.BOOLEAN,
          "TINYINT", Scalar.INT8,
          "SMALLINT", Scalar.INT16,
          "INTEGER", Scalar.INT32,
          "UTINYINT", Scalar.UINT8,
          "USMALLINT", Scalar.UINT16,
          "UINTEGER", Scalar.UINT32,
          "BLOB", Scalar.BLOB);

  private final CatalogReader catalog;
  private final DataFiles files;

  /** Queries over a lake's catalog and files. */
  public LakeSql(CatalogReader catalog, DataFiles files) {
    this.catalog = catalog;
    this.files = files;
  }

  /**
   * Runs a query; the caller closes the result.
   *
   * @param sql one SELECT in DuckDB's dialect; names are {@code SCHEMA.TABLE}, or {@code TABLE} in
   *     schema {@code main}
   * @throws QueryException when it is anything else, or fails
   */
  public ScanRows query(String sql, Snapshot snapshot) {
    try {
      ScratchEngine engine = ScratchEngine.open();
      try {
        SelectText select = SelectText.parse(engine.connection(), sql, Reads.LAKE_ONLY);
        LakeRelations relations =
            new LakeRelations(
                catalog, files, catalog.view(snapshot), engine.connection(), Reads.LAKE_ONLY);
        engine.closeWith(relations);
        relations.define(select);
        // what has an order keeps it
        engine.execute("SET preserve_insertion_order = true");
        List<ScanColumn> columns = columns(engine, select);
        return new GatheredRows(engine, texts(select, columns), columns, QueryErrors::sqlFailed);
      } catch (SQLException | RuntimeException e) {
        try {
          engine.close();
        } catch (SQLException onClose) {
          e.addSuppressed(onClose);
        }
        throw e;
      }
    } catch (SQLException e) {
      throw QueryErrors.sqlFailed(e);
    }
  }

  private static List<ScanColumn> columns(ScratchEngine engine, SelectText select)
      throws SQLException {
    List<ScanColumn> columns = new ArrayList<>();
    try (Statement statement = engine.connection().createStatement();
        ResultSet described = statement.executeQuery("DESCRIBE " + select.sql())) {
      while (described.next()) {
        String name = described.getString("column_name");
        String type = described.getString("column_type");
        columns.add(
            new ScanColumn(
                name,
                new Column(
                    columns.size(),
                    name,
                    TYPES.getOrDefault(type, Scalar.VARCHAR),
                    Nulls.ALLOWED,
                    null,
                    null,
                    null,
                    null,
                    List.of()),
                type));
      }
    }
    return columns;
  }

  private static String texts(SelectText select, List<ScanColumn> columns) {
    String names =
        columns.stream()
            .map(each -> ColumnNames.of(each.column()))
            .collect(Collectors.joining(", "));
    return columns.stream()
        .map(each -> RowTexts.of(each.column(), ColumnNames.of(each.column())))
        .collect(
            Collectors.joining(", ", "SELECT ", " FROM (" + select.sql() + ") t(" + names + ")"));
  }
}
