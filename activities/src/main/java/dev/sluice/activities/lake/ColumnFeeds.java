package dev.sluice.activities.lake;

import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.Table;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which column of a source feeds which column of a table.
 *
 * @param doing the operation, for errors
 * @param table the table
 * @param source the source
 * @param fed what the source feeds
 */
record ColumnFeeds(
    String doing, Table table, SourceRelation source, Map<Column, SourceColumn> fed) {

  ColumnFeeds {
    fed = new LinkedHashMap<>(fed);
  }

  /**
   * Matches.
   *
   * @param names the table's columns that the source's feed by place; empty to match by name
   */
  static ColumnFeeds of(String doing, Table table, SourceRelation source, List<String> names) {
    if (!names.isEmpty() && names.size() != source.columns().size()) {
      throw WriteErrors.columnCount(doing, names.size(), source.columns().size());
    }
    Map<Column, SourceColumn> fed = new LinkedHashMap<>();
    for (int i = 0; i < source.columns().size(); i++) {
      SourceColumn from = source.columns().get(i);
      Column column = column(doing, table, names.isEmpty() ? from.name() : names.get(i));
      if (fed.put(column, from) != null) {
        throw WriteErrors.duplicateColumn(doing, column.name());
      }
    }
    return new ColumnFeeds(doing, table, source, fed);
  }

  /** The table's column of that name, without regard to case. */
  static Column column(String doing, Table table, String name) {
    return table.columns().stream()
        .filter(column -> column.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> WriteErrors.unknownColumn(doing, name, table.columns()));
  }

  /** A SELECT of whole rows of the table from the source, columns by the table's names. */
  String rows() {
    List<String> values = new ArrayList<>();
    for (Column column : table.columns()) {
      values.add(value(column) + " AS " + Sql.identifier(column.name()));
    }
    return "SELECT " + String.join(", ", values) + " FROM (" + source.sql() + ") s";
  }

  /** The SQL of a column's value, fed or by default. */
  String value(Column column) {
    SourceColumn from = fed.get(column);
    if (from == null) {
      return byDefault(column);
    }
    return StoredValues.exact(
        column, Assignment.sql(doing, column, "s." + from.sql(), from.type()));
  }

  private String byDefault(Column column) {
    String text = column.defaultValue();
    if (text == null) {
      if (column.nulls() == Nulls.FORBIDDEN) {
        throw WriteErrors.missingNotNull(doing, column);
      }
      return Sql.cast("NULL", SqlType.of(column));
    }
    boolean expression = "expression".equals(column.defaultValueType());
    return StoredValues.exact(
        column, Sql.cast(expression ? "(" + text + ")" : Sql.literal(text), SqlType.of(column)));
  }

  /**
   * Names the column and value that a failed write choked on, as far as they can be found.
   *
   * @return the error to throw
   */
  WriteException explain(WriteEngine engine, SQLException failure) {
    if (WriteErrors.isNoFaultOfTheData(failure)) {
      return WriteErrors.engineFailed(doing, failure);
    }
    for (Map.Entry<Column, SourceColumn> feed : fed.entrySet()) {
      Column column = feed.getKey();
      String value = feed.getValue().sql();
      String read =
          feed.getValue().isJson() && column.children().isEmpty() ? value + " ->> '$'" : value;
      String sql =
          "SELECT left(CAST(%s AS VARCHAR), 200) FROM (%s) s WHERE %s IS NOT NULL AND TRY_CAST(%s AS %s) IS NULL LIMIT 1"
              .formatted(read, source.sql(), read, read, SqlType.of(column));
      Optional<String> bad = first(engine, sql);
      if (bad.isPresent()) {
        return WriteErrors.badValue(
            doing, column, SqlType.of(column), Sql.literal(bad.get()), failure);
      }
    }
    return badInside(engine).orElseGet(() -> WriteErrors.badData(doing, failure));
  }

  /** A column whose value cannot be made, where the source itself can be read. */
  private Optional<WriteException> badInside(WriteEngine engine) {
    String raw =
        source.columns().stream()
            .map(column -> "count(s." + column.sql() + ")")
            .collect(Collectors.joining(", "));
    if (failure(engine, raw).isPresent()) {
      return Optional.empty();
    }
    for (Column column : fed.keySet()) {
      Optional<SQLException> failure = failure(engine, "count(" + value(column) + ")");
      if (failure.isPresent()) {
        return failure.map(
            reason ->
                WriteErrors.namesColumn(reason)
                    ? WriteErrors.badData(doing, reason)
                    : WriteErrors.badData(doing, column, reason));
      }
    }
    return Optional.empty();
  }

  private Optional<SQLException> failure(WriteEngine engine, String select) {
    try {
      engine.query("SELECT " + select + " FROM (" + source.sql() + ") s", row -> row);
      return Optional.empty();
    } catch (SQLException e) {
      return Optional.of(e);
    }
  }

  private static Optional<String> first(WriteEngine engine, String sql) {
    try {
      return engine.query(sql, row -> row.getString(1)).stream().findFirst();
    } catch (SQLException unreadable) {
      // the failure that is to be explained may lie in the source itself: then it says so
      return Optional.empty();
    }
  }

  /** The columns that are fed, by name, for messages. */
  String names() {
    return fed.keySet().stream().map(Column::name).collect(Collectors.joining(", "));
  }
}
