package dev.sluice.activities.parquet;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.Table;
import dev.sluice.embedded.PostgresDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The smallest append that DuckDB accepts, so that files can be judged without the commit. */
final class TestCommit {

  private final Connection connection;
  private final Table table;
  private final long snapshot;
  private long nextFileId;
  private long nextRowId;
  private long mappingIndex;

  private TestCommit(Connection connection, Table table) throws SQLException {
    this.connection = connection;
    this.table = table;
    this.snapshot = number("SELECT max(snapshot_id) + 1 FROM ducklake_snapshot");
    this.nextFileId = number("SELECT max(next_file_id) FROM ducklake_snapshot");
    this.nextRowId =
        number(
            "SELECT coalesce(max(next_row_id), 0) FROM ducklake_table_stats WHERE table_id = "
                + table.id());
  }

  static void addDataFiles(PostgresDatabase database, Table table, List<NewDataFile> files)
      throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      TestCommit commit = new TestCommit(connection, table);
      for (NewDataFile file : files) {
        commit.add(file);
      }
      commit.finish(files);
      connection.commit();
    }
  }

  private void add(NewDataFile file) throws SQLException {
    long mapping = nextFileId++;
    long id = nextFileId++;
    update("INSERT INTO ducklake_column_mapping VALUES (?, ?, 'map_by_name')", mapping, table.id());
    mappingIndex = 0;
    mapFields(mapping, ((FileMapping.ByName) file.mapping()).fields(), table.columns(), null);
    Long partition = file.partitionValues().isEmpty() ? null : table.partitioning().id();
    update(
        "INSERT INTO ducklake_data_file VALUES"
            + " (?, ?, ?, NULL, NULL, ?, false, 'parquet', ?, ?, ?, ?, ?, NULL, ?, NULL)",
        id,
        table.id(),
        snapshot,
        file.path(),
        file.recordCount(),
        file.fileSizeBytes(),
        file.footerSize(),
        nextRowId,
        partition,
        mapping);
    nextRowId += file.recordCount();
    for (PartitionValue value : file.partitionValues()) {
      update(
          "INSERT INTO ducklake_file_partition_value VALUES (?, ?, ?, ?)",
          id,
          table.id(),
          (long) table.partitioning().keys().indexOf(value.key()),
          value.value());
    }
    for (LeafStatistics leaf : file.statistics()) {
      update(
          "INSERT INTO ducklake_file_column_stats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          id,
          table.id(),
          column(table.columns(), leaf.column()).id(),
          leaf.columnSizeBytes(),
          leaf.valueCount(),
          leaf.nullCount(),
          leaf.min(),
          leaf.max(),
          leaf.containsNan(),
          leaf.extraStats());
    }
  }

  private void mapFields(
      long mapping, List<MappedField> fields, List<Column> columns, @Nullable Long parent)
      throws SQLException {
    for (MappedField field : fields) {
      Column column = column(columns, List.of(field.targetName()));
      long index = mappingIndex++;
      update(
          "INSERT INTO ducklake_name_mapping VALUES (?, ?, ?, ?, ?, ?)",
          mapping,
          index,
          field.sourceName(),
          column.id(),
          parent,
          field.origin() == Origin.PATH);
      mapFields(mapping, field.children(), column.children(), index);
    }
  }

  private static Column column(List<Column> columns, List<String> path) {
    Column found =
        columns.stream()
            .filter(column -> column.name().equals(path.get(0)))
            .findFirst()
            .orElseThrow();
    return path.size() == 1 ? found : column(found.children(), path.subList(1, path.size()));
  }

  private void finish(List<NewDataFile> files) throws SQLException {
    long rows = files.stream().mapToLong(NewDataFile::recordCount).sum();
    long bytes = files.stream().mapToLong(NewDataFile::fileSizeBytes).sum();
    update(
        "INSERT INTO ducklake_snapshot SELECT ?, now(), schema_version, next_catalog_id, ? FROM"
            + " ducklake_snapshot ORDER BY snapshot_id DESC LIMIT 1",
        snapshot,
        nextFileId);
    update(
        "INSERT INTO ducklake_snapshot_changes VALUES (?, ?, NULL, NULL, NULL)",
        snapshot,
        "inserted_into_table:" + table.id());
    if (number("SELECT count(*) FROM ducklake_table_stats WHERE table_id = " + table.id()) == 0) {
      update("INSERT INTO ducklake_table_stats VALUES (?, 0, 0, 0)", table.id());
    }
    update(
        "UPDATE ducklake_table_stats SET record_count = record_count + ?, next_row_id = ?,"
            + " file_size_bytes = file_size_bytes + ? WHERE table_id = ?",
        rows,
        nextRowId,
        bytes,
        table.id());
    update("DELETE FROM ducklake_table_column_stats WHERE table_id = ?", table.id());
  }

  private long number(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private void update(String sql, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }
}
