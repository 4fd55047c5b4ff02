package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanFile.DeleteFile;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** Small tables inside the scan's own database: deleted positions, path values, inlined rows. */
final class ScanTables {

  private static final String SNAPSHOT_COLUMN = "_ducklake_internal_snapshot_id";

  private final Connection connection;
  private final String prefix;
  private final long snapshotId;
  private final PathTexts pathTexts;
  private final DeletedPositions deletedPositions;
  private int tables;

  /**
   * Tables of one relation.
   *
   * @param prefix what their names begin with, so that several relations can share a database
   */
  ScanTables(
      Connection connection,
      String prefix,
      long snapshotId,
      PathTexts pathTexts,
      DeletedPositions deletedPositions) {
    this.connection = connection;
    this.prefix = prefix;
    this.snapshotId = snapshotId;
    this.pathTexts = pathTexts;
    this.deletedPositions = deletedPositions;
  }

  /** The table of positions deleted from files: {@code file, pos}. */
  String deleted() {
    return prefix + "deleted_positions";
  }

  private String deleteFiles() {
    return prefix + "delete_files";
  }

  /** Replaces the deleted positions by those of some files. */
  void fillDeleted(Collection<ScanFile> files, Lease lease) throws SQLException {
    execute("CREATE OR REPLACE TABLE " + deleted() + " (file VARCHAR, pos BIGINT)");
    try (DuckDBAppender appender = appender(deleted())) {
      for (ScanFile file : files) {
        String local = lease.local(file.path()).toString();
        deletedPositions.of(file).forEach(position -> append(appender, local, position));
      }
    } catch (AppendFailed e) {
      throw e.failure;
    }
    fillFromFiles(files, lease);
  }

  private static void append(DuckDBAppender appender, String file, long position) {
    try {
      appender.beginRow();
      appender.append(file);
      appender.append(position);
      appender.endRow();
    } catch (SQLException e) {
      throw new AppendFailed(e);
    }
  }

  /** Takes a failure out of a stream. */
  private static final class AppendFailed extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final transient SQLException failure;

    AppendFailed(SQLException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  private void fillFromFiles(Collection<ScanFile> files, Lease lease) throws SQLException {
    List<String> paths = new ArrayList<>();
    execute("CREATE OR REPLACE TABLE " + deleteFiles() + " (path VARCHAR, file VARCHAR)");
    try (DuckDBAppender appender = appender(deleteFiles())) {
      for (ScanFile file : files) {
        for (DeleteFile deleteFile : file.deleteFiles()) {
          String path = lease.local(deleteFile.path()).toString();
          paths.add(path);
          appender.beginRow();
          appender.append(path);
          appender.append(lease.local(file.path()).toString());
          appender.endRow();
        }
      }
    }
    if (paths.isEmpty()) {
      return;
    }
    Map<String, PhysicalField> schemas = PhysicalSchemas.read(connection, paths);
    List<String> plain = new ArrayList<>();
    List<String> withSnapshots = new ArrayList<>();
    for (String path : paths) {
      PhysicalField schema = schemas.get(path);
      boolean hasSnapshots = schema != null && schema.childByName(SNAPSHOT_COLUMN).isPresent();
      (hasSnapshots ? withSnapshots : plain).add(path);
    }
    insertPositions(plain, "");
    insertPositions(withSnapshots, " WHERE d." + SNAPSHOT_COLUMN + " <= " + snapshotId);
  }

  private void insertPositions(List<String> paths, String condition) throws SQLException {
    if (!paths.isEmpty()) {
      execute(
          "INSERT INTO %s SELECT m.file, d.pos FROM read_parquet(%s, filename = 'source') d JOIN %s m ON m.path = d.source%s"
              .formatted(deleted(), Sql.literals(paths), deleteFiles(), condition));
    }
  }

  /**
   * Makes a table of the values in paths: the local file, and one text column per table column.
   *
   * @return its name
   */
  String pathValues(Collection<ScanFile> files, Lease lease, Map<Column, String> keys)
      throws SQLException {
    String name = prefix + "path_values_" + tables++;
    StringBuilder columns = new StringBuilder("file VARCHAR");
    keys.keySet()
        .forEach(column -> columns.append(", ").append(ColumnNames.of(column)).append(" VARCHAR"));
    execute("CREATE TABLE " + name + " (" + columns + ")");
    try (DuckDBAppender appender = appender(name)) {
      for (ScanFile file : files) {
        appender.beginRow();
        appender.append(lease.local(file.path()).toString());
        for (Map.Entry<Column, String> key : keys.entrySet()) {
          append(appender, pathTexts.text(file, key.getKey(), key.getValue()));
        }
        appender.endRow();
      }
    }
    return name;
  }

  /**
   * Makes a table of where the rows of files come from: {@code file, row_id_start, begin_snapshot,
   * ended, data_file_id}.
   *
   * @param ended by data file id, for files that ended: the snapshot that ended them
   * @return its name
   */
  String origins(Collection<ScanFile> files, Lease lease, Map<Long, Long> ended)
      throws SQLException {
    String name = prefix + "origins_" + tables++;
    execute(
        "CREATE TABLE "
            + name
            + " (file VARCHAR, row_id_start BIGINT, begin_snapshot BIGINT, ended BIGINT,"
            + " data_file_id BIGINT)");
    try (DuckDBAppender appender = appender(name)) {
      for (ScanFile file : files) {
        appender.beginRow();
        appender.append(lease.local(file.path()).toString());
        append(appender, file.rowIdStart());
        appender.append(file.beginSnapshot());
        append(appender, ended.get(file.dataFileId()));
        appender.append(file.dataFileId());
        appender.endRow();
      }
    }
    return name;
  }

  /**
   * Makes a table of inlined rows: a text column {@code v0}, {@code v1}, … per column.
   *
   * @return its name
   */
  String inlinedRows(InlinedRows inlined) throws SQLException {
    String name = prefix + "inlined_" + tables++;
    StringBuilder columns = new StringBuilder("row_id BIGINT, snapshot_id BIGINT");
    for (int i = 0; i < inlined.columns().size(); i++) {
      columns.append(", v").append(i).append(" VARCHAR");
    }
    execute("CREATE TABLE " + name + " (" + columns + ")");
    try (DuckDBAppender appender = appender(name)) {
      for (InlinedRows.Row row : inlined.rows()) {
        appender.beginRow();
        appender.append(row.rowId());
        appender.append(row.snapshotId());
        for (Optional<String> value : row.values()) {
          append(appender, value);
        }
        appender.endRow();
      }
    }
    return name;
  }

  private static void append(DuckDBAppender appender, Optional<String> value) throws SQLException {
    if (value.isPresent()) {
      appender.append(value.get());
    } else {
      appender.appendNull();
    }
  }

  private static void append(DuckDBAppender appender, @Nullable Long value) throws SQLException {
    if (value == null) {
      appender.appendNull();
    } else {
      appender.append(value.longValue());
    }
  }

  private DuckDBAppender appender(String table) throws SQLException {
    return connection.unwrap(DuckDBConnection.class).createAppender("main", table);
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
