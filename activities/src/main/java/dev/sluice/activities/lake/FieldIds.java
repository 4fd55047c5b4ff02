package dev.sluice.activities.lake;

import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.Column;
import java.util.List;
import java.util.stream.Collectors;

/** The field ids of a COPY: every column and everything in it by its column id. */
final class FieldIds {

  /** A column of a data file that carries the id of a row which is older than its file. */
  static final String ROW_ID = "_ducklake_internal_row_id";

  /** Reserved for it (ducklake-format 5.1). */
  private static final long ROW_ID_FIELD = 2_147_483_540L;

  private FieldIds() {}

  static String of(List<Column> columns) {
    return "{" + inside(columns) + "}";
  }

  static String withRowId(List<Column> columns) {
    return "{" + inside(columns) + ", " + Sql.identifier(ROW_ID) + ": " + ROW_ID_FIELD + "}";
  }

  private static String inside(List<Column> columns) {
    return columns.stream()
        .map(column -> Sql.identifier(column.name()) + ": " + id(column))
        .collect(Collectors.joining(", "));
  }

  private static String id(Column column) {
    return column.children().isEmpty()
        ? Long.toString(column.id())
        : "{__duckdb_field_id: " + column.id() + ", " + inside(column.children()) + "}";
  }
}
