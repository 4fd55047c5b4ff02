package dev.sluice.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All rows of a lake's catalog ({@code ducklake_*} tables, inlined ones included) as text, sorted,
 * so that what DuckDB wrote and what we wrote can be compared as values. Immutable.
 *
 * <p>A row reads {@code column=value, column=value}; SQL NULL reads {@code NULL}. Tables that a
 * client makes only when it needs them appear only when they are there.
 */
public final class CatalogDump {

  /** Stands for a value that may differ; SQL NULL is never masked. */
  public static final String MASK = "*";

  /**
   * Columns that differ between any two runs, whoever writes: identifiers made at random, the
   * clock, the writer's name, and names of files. Sizes are not among them.
   */
  public static final Set<String> ALWAYS_DIFFERENT =
      Set.of(
          "ducklake_schema.schema_uuid",
          "ducklake_table.table_uuid",
          "ducklake_view.view_uuid",
          "ducklake_snapshot.snapshot_time",
          "ducklake_files_scheduled_for_deletion.schedule_start",
          "ducklake_files_scheduled_for_deletion.path",
          "ducklake_data_file.path",
          "ducklake_delete_file.path");

  /** Keys of {@code ducklake_metadata} whose values differ between two lakes by nature. */
  public static final Set<String> DIFFERENT_METADATA = Set.of("created_by", "data_path");

  private final Map<String, List<Row>> tables;

  private CatalogDump(Map<String, List<Row>> tables) {
    this.tables = tables;
  }

  /** Reads the catalog in the database's default schema. */
  public static CatalogDump of(PostgresDatabase database) throws SQLException {
    return of(database, "public");
  }

  /** Reads the catalog in a schema, in one repeatable-read transaction. */
  public static CatalogDump of(PostgresDatabase database, String schema) throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setReadOnly(true);
      Map<String, List<Row>> tables = new TreeMap<>();
      for (String table : tableNames(connection, schema)) {
        tables.put(table, rows(connection, schema, table));
      }
      connection.rollback();
      return new CatalogDump(tables);
    }
  }

  /**
   * This dump with the values of some columns replaced by {@link #MASK}.
   *
   * @param columns each {@code table.column}, or {@code *.column} for every table
   */
  public CatalogDump masking(Set<String> columns) {
    return changing(
        (table, row) ->
            row.changed(
                (column, value) ->
                    columns.contains(table + "." + column) || columns.contains("*." + column)
                        ? MASK
                        : value));
  }

  /** This dump without what differs between any two lakes, whoever wrote them. */
  public CatalogDump comparable() {
    return masking(ALWAYS_DIFFERENT)
        .changing(
            (table, row) ->
                table.equals("ducklake_metadata")
                        && DIFFERENT_METADATA.contains(String.valueOf(row.value("key")))
                    ? row.changed((column, value) -> column.equals("value") ? MASK : value)
                    : row);
  }

  /** This dump with every value rewritten, e.g. a table's name or a folder replaced by another. */
  public CatalogDump rewriting(UnaryOperator<String> values) {
    return changing((table, row) -> row.changed((column, value) -> values.apply(value)));
  }

  /** This dump without some tables, named whole. */
  public CatalogDump without(Set<String> tableNames) {
    Map<String, List<Row>> kept = new TreeMap<>(tables);
    kept.keySet().removeAll(tableNames);
    return new CatalogDump(kept);
  }

  /** The names of the tables that are there, sorted. */
  public Set<String> tableNames() {
    return Collections.unmodifiableSet(tables.keySet());
  }

  /** The rows of a table as sorted text; empty when the table is empty or absent. */
  public List<String> rows(String table) {
    return tables.getOrDefault(table, List.of()).stream().map(Row::toString).sorted().toList();
  }

  /** All non-empty tables with their rows as sorted text: what two dumps are compared by. */
  public Map<String, List<String>> asMap() {
    Map<String, List<String>> all = new TreeMap<>();
    for (String table : tables.keySet()) {
      List<String> rows = rows(table);
      if (!rows.isEmpty()) {
        all.put(table, rows);
      }
    }
    return Collections.unmodifiableMap(all);
  }

  /**
   * What differs, one line each: {@code - table: row} is only here, {@code + table: row} only in
   * the other; empty when they are equal. A row that is there twice counts twice.
   */
  public List<String> differences(CatalogDump other) {
    Set<String> names = new HashSet<>(tables.keySet());
    names.addAll(other.tables.keySet());
    List<String> found = new ArrayList<>();
    for (String table : names.stream().sorted().toList()) {
      List<String> onlyHere = new ArrayList<>(rows(table));
      List<String> onlyThere = new ArrayList<>(other.rows(table));
      for (String row : rows(table)) {
        if (onlyThere.remove(row)) {
          onlyHere.remove(row);
        }
      }
      onlyHere.forEach(row -> found.add("- " + table + ": " + row));
      onlyThere.forEach(row -> found.add("+ " + table + ": " + row));
    }
    return List.copyOf(found);
  }

  /** Two dumps are equal when their non-empty tables hold the same rows. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CatalogDump dump && asMap().equals(dump.asMap());
  }

  @Override
  public int hashCode() {
    return asMap().hashCode();
  }

  /** The whole dump, a line per row. */
  @Override
  public String toString() {
    return asMap().entrySet().stream()
        .flatMap(table -> table.getValue().stream().map(row -> table.getKey() + ": " + row))
        .collect(Collectors.joining("\n"));
  }

  private CatalogDump changing(RowChange change) {
    Map<String, List<Row>> changed = new TreeMap<>();
    tables.forEach(
        (table, rows) ->
            changed.put(table, rows.stream().map(row -> change.apply(table, row)).toList()));
    return new CatalogDump(changed);
  }

  private static List<String> tableNames(Connection connection, String schema) throws SQLException {
    List<String> names = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT table_name FROM information_schema.tables"
                + " WHERE table_schema = ? AND table_name LIKE 'ducklake\\_%'"
                + " AND table_type = 'BASE TABLE'")) {
      statement.setString(1, schema);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          names.add(result.getString(1));
        }
      }
    }
    return names;
  }

  private static List<Row> rows(Connection connection, String schema, String table)
      throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT * FROM "
                    + DuckDbEngine.identifier(schema)
                    + "."
                    + DuckDbEngine.identifier(table))) {
      List<String> columns = new ArrayList<>();
      for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
        columns.add(result.getMetaData().getColumnName(column));
      }
      while (result.next()) {
        List<@Nullable String> values = new ArrayList<>();
        for (int column = 1; column <= columns.size(); column++) {
          values.add(result.getString(column));
        }
        rows.add(new Row(columns, values));
      }
    }
    return rows;
  }

  private interface RowChange {
    Row apply(String table, Row row);
  }

  private interface ValueChange {
    String apply(String column, String value);
  }

  private record Row(List<String> columns, List<@Nullable String> values) {

    @Nullable String value(String column) {
      int index = columns.indexOf(column);
      return index < 0 ? null : values.get(index);
    }

    Row changed(ValueChange change) {
      List<@Nullable String> changed = new ArrayList<>();
      for (int index = 0; index < columns.size(); index++) {
        String value = values.get(index);
        changed.add(value == null ? null : change.apply(columns.get(index), value));
      }
      return new Row(columns, changed);
    }

    @Override
    public String toString() {
      List<String> pairs = new ArrayList<>();
      for (int index = 0; index < columns.size(); index++) {
        String value = values.get(index);
        pairs.add(columns.get(index) + "=" + (value == null ? "NULL" : value));
      }
      return String.join(", ", pairs);
    }
  }
}
