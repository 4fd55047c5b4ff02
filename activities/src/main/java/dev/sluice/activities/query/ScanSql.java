package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.ScanFile;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** SELECTs that give a table's rows from files and inlined rows, columns named by id. */
final class ScanSql {

  private static final String FILE_NAME = "__sluice_file";

  private final Table table;
  private final long snapshotId;
  private final List<Column> columns;
  private final ScanTables tables;

  /**
   * SQL for one scan.
   *
   * @param columns the columns that are read, whether shown or only compared
   */
  ScanSql(Table table, long snapshotId, Collection<Column> columns, ScanTables tables) {
    this.table = table;
    this.snapshotId = snapshotId;
    this.columns = List.copyOf(columns);
    this.tables = tables;
  }

  /** The rows of files of one group, without those deleted or newer than the snapshot. */
  String files(FileGroup group, Lease lease) throws SQLException {
    return files(group, lease, group.key().deletes() ? Deleted.LEFT_OUT : Deleted.NONE, Map.of());
  }

  /**
   * All rows of files of one group, each with the snapshot that removed it, or NULL, as its {@link
   * LineageColumns#SNAPSHOT_ID}.
   *
   * @param ended by data file id, for files that ended: the snapshot that ended them
   */
  String removed(FileGroup group, Lease lease, Map<Long, Long> ended) throws SQLException {
    return files(group, lease, Deleted.TOLD, ended);
  }

  private String files(FileGroup group, Lease lease, Deleted deleted, Map<Long, Long> ended)
      throws SQLException {
    PhysicalField schema = group.key().schema();
    FieldFinder finder = FieldFinder.of(group.key().nameMap(), schema, table.columns());
    Map<Column, String> pathKeys = pathKeys(finder);
    StringBuilder from = new StringBuilder("read_parquet(");
    boolean positions =
        deleted != Deleted.NONE
            || columns.contains(LineageColumns.ROW_ID)
            || columns.contains(LineageColumns.POSITION);
    from.append(Sql.literals(locals(group.files(), lease)))
        .append(", hive_partitioning = false, filename = ")
        .append(Sql.literal(FILE_NAME))
        .append(positions ? ", file_row_number = true) f" : ") f");
    if (columns.stream().anyMatch(LineageColumns::contains)) {
      from.append(" JOIN ")
          .append(tables.origins(group.files(), lease, ended))
          .append(" o ON o.file = f.")
          .append(FILE_NAME);
    }
    if (!pathKeys.isEmpty()) {
      from.append(" JOIN ")
          .append(tables.pathValues(group.files(), lease, pathKeys))
          .append(" p ON p.file = f.")
          .append(FILE_NAME);
    }
    if (deleted != Deleted.NONE) {
      from.append(deleted == Deleted.LEFT_OUT ? " ANTI JOIN " : " LEFT JOIN ")
          .append(tables.deleted())
          .append(" d ON d.file = f.")
          .append(FILE_NAME)
          .append(" AND d.pos = f.file_row_number");
    }
    if (group.key().newerRows()) {
      from.append(" WHERE f.")
          .append(Sql.identifier(snapshotColumn(group)))
          .append(" <= ")
          .append(snapshotId);
    }
    ColumnExpressions expressions = new ColumnExpressions(finder);
    return select(
        columns.stream()
            .map(
                column ->
                    named(
                        column,
                        pathKeys.containsKey(column)
                            ? Sql.cast("p." + ColumnNames.of(column), SqlType.of(column))
                            : LineageColumns.contains(column)
                                ? lineage(column, schema, deleted)
                                : unpruned(column, expressions.topLevel(column, schema, "f"))))
            .toList(),
        from.toString());
  }

  /** Inlined rows, read as what they were when they were written. */
  String inlined(InlinedRows inlined) throws SQLException {
    PhysicalField root =
        new PhysicalField(
            "",
            OptionalLong.empty(),
            PhysicalField.Kind.STRUCT,
            "",
            inlined.columns().stream().map(PhysicalField::of).toList());
    StringBuilder typed = new StringBuilder("(SELECT row_id AS ");
    typed.append(ColumnNames.of(LineageColumns.ROW_ID)).append(", snapshot_id AS ");
    typed.append(ColumnNames.of(LineageColumns.SNAPSHOT_ID));
    typed.append(", CAST(NULL AS BIGINT) AS ").append(ColumnNames.of(LineageColumns.FILE_ID));
    typed.append(", CAST(NULL AS BIGINT) AS ").append(ColumnNames.of(LineageColumns.POSITION));
    for (int i = 0; i < inlined.columns().size(); i++) {
      Column column = inlined.columns().get(i);
      typed
          .append(", ")
          .append(Sql.cast("v" + i, SqlType.of(column)))
          .append(" AS ")
          .append(Sql.identifier(column.name()));
    }
    typed.append(" FROM ").append(tables.inlinedRows(inlined)).append(") f");
    ColumnExpressions expressions = new ColumnExpressions(new FieldFinder.ById());
    return select(
        columns.stream()
            .map(
                column ->
                    named(
                        column,
                        LineageColumns.contains(column)
                            ? "f." + ColumnNames.of(column)
                            : expressions.topLevel(column, root, "f")))
            .toList(),
        typed.toString());
  }

  /** From the file where it says so row by row, else from what the catalog says of the file. */
  private static String lineage(Column column, PhysicalField schema, Deleted deleted) {
    if (deleted == Deleted.TOLD && column.equals(LineageColumns.SNAPSHOT_ID)) {
      return "COALESCE(d.snapshot_id, o.ended)";
    }
    return LineageColumns.field(column, schema)
        .map(field -> "f." + Sql.identifier(field.name()))
        .orElseGet(() -> fromCatalog(column));
  }

  private static String fromCatalog(Column column) {
    if (column.equals(LineageColumns.ROW_ID)) {
      return "o.row_id_start + f.file_row_number";
    }
    if (column.equals(LineageColumns.POSITION)) {
      return "f.file_row_number";
    }
    return column.equals(LineageColumns.FILE_ID) ? "o.data_file_id" : "o.begin_snapshot";
  }

  private Map<Column, String> pathKeys(FieldFinder finder) {
    Map<Column, String> keys = new LinkedHashMap<>();
    for (Column column : columns) {
      finder.pathKey(column).ifPresent(key -> keys.put(column, key));
    }
    return keys;
  }

  private String snapshotColumn(FileGroup group) {
    return LineageColumns.field(LineageColumns.SNAPSHOT_ID, group.key().schema())
        .orElseThrow(() -> QueryErrors.noSnapshotColumn(table.name(), group.files().get(0).path()))
        .name();
  }

  private static List<String> locals(List<ScanFile> files, Lease lease) {
    return files.stream().map(file -> lease.local(file.path()).toString()).toList();
  }

  /**
   * A blob, spelled so that DuckDB compares values and does not ask the file's Bloom filter: DuckDB
   * 1.5.5 writes one that has none of the column's values and skips their row groups.
   */
  private static String unpruned(Column column, String value) {
    return column.type() == Scalar.BLOB
        ? "CASE WHEN " + value + " IS NOT NULL THEN " + value + " END"
        : value;
  }

  private static String named(Column column, String expression) {
    return expression + " AS " + ColumnNames.of(column);
  }

  /** The constant makes a row of a scan that reads no column at all. */
  private static String select(List<String> expressions, String from) {
    return expressions.stream()
        .map(expression -> ", " + expression)
        .collect(Collectors.joining("", "SELECT TRUE AS present", " FROM " + from));
  }

  /** What becomes of deleted rows. */
  private enum Deleted {
    /** There are none. */
    NONE,
    LEFT_OUT,
    TOLD
  }
}
