package dev.sluice.activities.lake;

import dev.sluice.catalog.NewDataFile.PartitionValue;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rows of a write inside its DuckDB, partition by partition and sorted, so that each partition is
 * one range of them. What does not fit into memory is spilled. One at a time; not thread-safe.
 */
final class PartitionedRows implements AutoCloseable {

  private static final String STAGED = "partitioned_rows";

  private final WriteEngine engine;
  private final PartitionColumns columns;

  private PartitionedRows(WriteEngine engine, PartitionColumns columns) {
    this.engine = engine;
    this.columns = columns;
  }

  /**
   * Runs a SELECT, once.
   *
   * @param order sort keys, or nothing
   */
  static PartitionedRows stage(
      WriteEngine engine, PartitionColumns columns, String rows, String order) throws SQLException {
    String keys =
        Stream.concat(columns.names().stream(), Stream.of(order))
            .filter(key -> !key.isEmpty())
            .collect(Collectors.joining(", "));
    engine.executeInOrder(
        "CREATE OR REPLACE TEMP TABLE %s AS SELECT t.*%s FROM (%s) t ORDER BY %s"
            .formatted(STAGED, columns.select(engine), rows, keys));
    return new PartitionedRows(engine, columns);
  }

  /**
   * Rows of the same values.
   *
   * @param first where they begin
   * @param last where they end, inclusive
   */
  record Partition(List<PartitionValue> values, long first, long last) {
    Partition {
      values = List.copyOf(values);
    }
  }

  /** All partitions, in the order of their rows. */
  List<Partition> partitions() throws SQLException {
    int keys = columns.names().size();
    return engine.query(
        "SELECT %s, min(rowid), max(rowid), count(*) FROM %s GROUP BY %s ORDER BY min(rowid)"
            .formatted(
                columns.names().stream()
                    .map(name -> "CAST(" + name + " AS VARCHAR)")
                    .collect(Collectors.joining(", ")),
                STAGED,
                String.join(", ", columns.names())),
        row -> {
          Partition partition =
              new Partition(columns.values(row), row.getLong(keys + 1), row.getLong(keys + 2));
          if (partition.last() - partition.first() + 1 != row.getLong(keys + 3)) {
            throw new IllegalStateException(
                "rows of partition %s lie among others".formatted(partition.values()));
          }
          return partition;
        });
  }

  /** The rows of one partition, with their partition columns, in order. */
  String select(Partition partition) {
    return "FROM %s WHERE rowid BETWEEN %d AND %d"
        .formatted(STAGED, partition.first(), partition.last());
  }

  @Override
  public void close() throws SQLException {
    engine.execute("DROP TABLE IF EXISTS " + STAGED);
  }
}
