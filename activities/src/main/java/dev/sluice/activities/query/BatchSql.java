package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.Lease;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.read.InlinedRows;
import dev.sluice.catalog.read.ScanFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
    Map<String, PhysicalField> schemas =
        PhysicalSchemas.read(
            connection, batch.stream().map(file -> held.local(file.path()).toString()).toList());
    List<FileGroup> groups =
        FileGroup.of(
            batch,
            file -> {
              String local = held.local(file.path()).toString();
              return Objects.requireNonNull(schemas.get(local), local);
            },
            deletedPositions);
    if (groups.stream().anyMatch(group -> group.key().deletes())) {
      tables.fillDeleted(batch, held);
    }
    List<String> selects = new ArrayList<>();
    for (FileGroup group : groups) {
      selects.add(sql.files(group, held));
    }
    return String.join(" UNION ALL ", selects);
  }

  /** A query that gives inlined rows. */
  String inlined(InlinedRows rows) throws SQLException {
    return sql.inlined(rows);
  }
}
