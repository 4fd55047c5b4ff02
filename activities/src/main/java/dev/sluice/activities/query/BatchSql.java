package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.ChangePlan;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.RemovedRows;
import dev.sluice.catalog.read.ScanFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The rows of files that are on this machine, as one relation. */
final class BatchSql {

  private final Connection connection;
  private final ScanTables tables;
  private final ScanSql sql;
  private final DeletedPositions deletedPositions;

  /**
   * SQL of one relation.
   *
   * @param prefix what the names of its helping tables begin with
   * @param columns the columns that are read
   */
  BatchSql(
      Connection connection,
      String prefix,
      Table table,
      long snapshotId,
      Collection<Column> columns,
      PathTexts pathTexts,
      DeletedPositions deletedPositions) {
    this.connection = connection;
    this.deletedPositions = deletedPositions;
    this.tables = new ScanTables(connection, prefix, snapshotId, pathTexts, deletedPositions);
    this.sql = new ScanSql(table, snapshotId, columns, tables);
  }

  /** A query that gives the rows of the files; valid until the next call and while the lease is. */
  String files(List<ScanFile> batch, Lease held) throws SQLException {
    List<FileGroup> groups = groups(batch, held);
    if (groups.stream().anyMatch(group -> group.key().deletes())) {
      tables.fillDeleted(batch, held);
    }
    List<String> selects = new ArrayList<>();
    for (FileGroup group : groups) {
      selects.add(sql.files(group, held));
    }
    return String.join(" UNION ALL ", selects);
  }

  /**
   * The same for rows that the plan's range removed: {@link LineageColumns#SNAPSHOT_ID} is what
   * removed each, or NULL.
   *
   * @return empty when no file of the batch lost any
   */
  Optional<String> removed(List<RemovedRows> batch, Lease held, ChangePlan plan)
      throws SQLException {
    RemovedPositions positions = new RemovedPositions(connection, tables.deleted());
    positions.fill(batch, held);
    List<RemovedRows> changed = positions.changed(batch, held, plan);
    if (changed.isEmpty()) {
      return Optional.empty();
    }
    Map<Long, Long> ended = new HashMap<>();
    for (RemovedRows each : changed) {
      Long snapshot = each.ended();
      if (snapshot != null) {
        ended.put(each.file().dataFileId(), snapshot);
      }
    }
    List<String> selects = new ArrayList<>();
    for (FileGroup group : groups(changed.stream().map(RemovedRows::file).toList(), held)) {
      selects.add(sql.removed(group, held, ended));
    }
    return Optional.of(String.join(" UNION ALL ", selects));
  }

  private List<FileGroup> groups(List<ScanFile> batch, Lease held) throws SQLException {
    Map<String, PhysicalField> schemas =
        PhysicalSchemas.read(
            connection, batch.stream().map(file -> held.local(file.path()).toString()).toList());
    return FileGroup.of(
        batch,
        file -> {
          String local = held.local(file.path()).toString();
          return Objects.requireNonNull(schemas.get(local), local);
        },
        deletedPositions);
  }

  /** A query that gives inlined rows. */
  String inlined(InlinedRows rows) throws SQLException {
    return sql.inlined(rows);
  }
}
