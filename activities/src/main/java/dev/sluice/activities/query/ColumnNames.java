package dev.sluice.activities.query;

import dev.sluice.catalog.Column;

/** Names of a table's columns inside generated SQL: by id, so that no user's name can collide. */
final class ColumnNames {

  private ColumnNames() {}

  static String of(Column column) {
    return "c" + column.id();
  }
}
