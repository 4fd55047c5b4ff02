package dev.sluice.catalog;

import java.util.List;

/**
 * A view live at one snapshot (ducklake-format 4.6).
 *
 * @param id the view id, of the same numbers as table ids
 * @param name qualified name; tables and views of a schema share their names
 * @param dialect whose SQL it is, {@code duckdb} where DuckDB wrote it
 * @param sql the query as stored: <code>{DUCKLAKE_CATALOG}.</code> stands for the lake's own name
 * @param columnAliases names of the view's columns; empty for those of the query
 */
public record View(
    long id, TableName name, String dialect, String sql, List<String> columnAliases) {

  /** Copies the names. */
  public View {
    columnAliases = List.copyOf(columnAliases);
  }
}
