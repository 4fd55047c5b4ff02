package dev.sluice.activities.delta;

import java.util.List;

/**
 * A table's columns at one version.
 *
 * @param columns in the table's order
 * @param leftOut columns and fields that are not in {@code columns}
 * @param partitionColumns logical names in the order of partitioning
 */
record DeltaSchema(
    List<DeltaColumn> columns, List<LeftOutColumn> leftOut, List<String> partitionColumns) {

  DeltaSchema {
    columns = List.copyOf(columns);
    leftOut = List.copyOf(leftOut);
    partitionColumns = List.copyOf(partitionColumns);
  }

  /** The column with this logical name. */
  DeltaColumn column(String name) {
    return columns.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no column '" + name + "'"));
  }
}
