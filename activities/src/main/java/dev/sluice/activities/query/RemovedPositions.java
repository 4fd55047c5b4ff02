package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.read.ChangePlan;
import dev.sluice.catalog.read.DeletedPosition;
import dev.sluice.catalog.read.RemovedRows;
import dev.sluice.catalog.read.ScanFile.DeleteFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * Finds for each deleted row of some files the snapshot that deleted it: what the delete file says
 * of the position, else the delete file's own snapshot. A later delete file may repeat what earlier
 * ones hold, so the earliest one counts.
 */
final class RemovedPositions {

  private static final String SNAPSHOT_COLUMN = "_ducklake_internal_snapshot_id";
  private static final String STAGED = "staged_positions";

  private final Connection connection;
  private final String table;

  /**
   * Positions of one relation.
   *
   * @param table the table to fill: {@code file, pos, snapshot_id}
   */
  RemovedPositions(Connection connection, String table) {
    this.connection = connection;
    this.table = table;
  }

  /** Replaces the table's rows by those of some files. */
  void fill(List<RemovedRows> files, Lease lease) throws SQLException {
    execute(
        "CREATE OR REPLACE TABLE " + STAGED + " (file VARCHAR, pos BIGINT, snapshot_id BIGINT)");
    try (DuckDBAppender appender =
        connection.unwrap(DuckDBConnection.class).createAppender("main", STAGED)) {
      for (RemovedRows removed : files) {
        for (DeletedPosition deleted : removed.positions()) {
          appender.beginRow();
          appender.append(lease.local(removed.file().path()).toString());
          appender.append(deleted.position());
          appender.append(deleted.snapshotId());
          appender.endRow();
        }
      }
    }
    stageFiles(files, lease);
    execute(
        "CREATE OR REPLACE TABLE %s AS SELECT file, pos, min(snapshot_id) AS snapshot_id FROM %s GROUP BY ALL"
            .formatted(table, STAGED));
  }

  /** Those of the files that lost rows in a range of snapshots; the others need not be read. */
  List<RemovedRows> changed(List<RemovedRows> files, Lease lease, ChangePlan plan)
      throws SQLException {
    Set<String> changed = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT DISTINCT file FROM %s WHERE snapshot_id BETWEEN %d AND %d"
                    .formatted(table, plan.from().id(), plan.to().id()))) {
      while (found.next()) {
        changed.add(found.getString(1));
      }
    }
    return files.stream()
        .filter(
            each ->
                each.ended() != null
                    || changed.contains(lease.local(each.file().path()).toString()))
        .toList();
  }

  private void stageFiles(List<RemovedRows> files, Lease lease) throws SQLException {
    List<String> paths =
        files.stream()
            .flatMap(removed -> removed.file().deleteFiles().stream())
            .map(delete -> lease.local(delete.path()).toString())
            .toList();
    if (paths.isEmpty()) {
      return;
    }
    Map<String, PhysicalField> schemas = PhysicalSchemas.read(connection, paths);
    for (RemovedRows removed : files) {
      for (DeleteFile delete : removed.file().deleteFiles()) {
        String path = lease.local(delete.path()).toString();
        PhysicalField schema = schemas.get(path);
        boolean each = schema != null && schema.childByName(SNAPSHOT_COLUMN).isPresent();
        execute(
            "INSERT INTO %s SELECT %s, pos, %s FROM read_parquet(%s)"
                .formatted(
                    STAGED,
                    Sql.literal(lease.local(removed.file().path()).toString()),
                    each ? SNAPSHOT_COLUMN : delete.beginSnapshot(),
                    Sql.literal(path)));
      }
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
