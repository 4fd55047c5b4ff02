package dev.sluice.catalog.read;

import static dev.sluice.catalog.internal.jooq.ducklake.Tables.DUCKLAKE_COLUMN;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Nulls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Builds a table's columns from its flat rows. */
final class ColumnTree {

  /** What DuckDB writes where there is no default. */
  private static final String NO_DEFAULT = "NULL";

  private static final long NO_PARENT = -1;

  private ColumnTree() {}

  /** The top-level columns of one table's live rows, which come in column order. */
  static List<Column> of(List<? extends Record> rows) {
    Map<Long, List<Record>> byParent = new HashMap<>();
    for (Record row : rows) {
      Long parent = row.get(DUCKLAKE_COLUMN.PARENT_COLUMN);
      byParent
          .computeIfAbsent(parent == null ? NO_PARENT : parent, id -> new ArrayList<>())
          .add(row);
    }
    return children(NO_PARENT, byParent);
  }

  private static List<Column> children(long parent, Map<Long, List<Record>> byParent) {
    return byParent.getOrDefault(parent, List.of()).stream()
        .map(row -> column(row, byParent))
        .toList();
  }

  private static Column column(Record row, Map<Long, List<Record>> byParent) {
    long id = row.get(DUCKLAKE_COLUMN.COLUMN_ID);
    return new Column(
        id,
        row.get(DUCKLAKE_COLUMN.COLUMN_NAME),
        ColumnType.parse(row.get(DUCKLAKE_COLUMN.COLUMN_TYPE)),
        Boolean.FALSE.equals(row.get(DUCKLAKE_COLUMN.NULLS_ALLOWED))
            ? Nulls.FORBIDDEN
            : Nulls.ALLOWED,
        row.get(DUCKLAKE_COLUMN.INITIAL_DEFAULT),
        presentDefault(row.get(DUCKLAKE_COLUMN.DEFAULT_VALUE)),
        row.get(DUCKLAKE_COLUMN.DEFAULT_VALUE_TYPE),
        row.get(DUCKLAKE_COLUMN.DEFAULT_VALUE_DIALECT),
        children(id, byParent));
  }

  private static @Nullable String presentDefault(@Nullable String text) {
    return NO_DEFAULT.equals(text) ? null : text;
  }
}
