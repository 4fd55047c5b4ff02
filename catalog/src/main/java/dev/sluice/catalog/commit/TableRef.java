package dev.sluice.catalog.commit;

import dev.sluice.catalog.TableName;

/** Names a table in a change. */
public sealed interface TableRef {

  /** A table that existed when the commit was planned; the id never means another table. */
  record ById(long tableId) implements TableRef {}

  /** The table of that name as the changes before this one leave it; also for tables just made. */
  record ByName(TableName name) implements TableRef {}

  /** Shorthand for {@link ById}. */
  static TableRef id(long tableId) {
    return new ById(tableId);
  }

  /** Shorthand for {@link ByName}. */
  static TableRef name(String schema, String table) {
    return new ByName(new TableName(schema, table));
  }
}
