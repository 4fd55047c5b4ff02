package dev.sluice.activities.landing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.delta.ColumnMapping;
import dev.sluice.activities.delta.DeltaColumn;
import dev.sluice.activities.delta.DeltaSnapshot;
import dev.sluice.activities.parquet.SourceColumn;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import java.util.ArrayList;
import java.util.List;

/**
 * What a pinned version of a Delta table is, as the ledger keeps it, so that no later stage depends
 * on the log.
 *
 * @param version the version
 * @param mapping how columns are found in its files
 * @param columns its columns, partition columns included
 * @param partitionColumns logical names, in the order of partitioning
 */
public record DeltaPlan(
    long version, ColumnMapping mapping, List<DeltaColumn> columns, List<String> partitionColumns) {

  /** Copies the lists. */
  public DeltaPlan {
    columns = List.copyOf(columns);
    partitionColumns = List.copyOf(partitionColumns);
  }

  /** The plan of a version. */
  public static DeltaPlan of(DeltaSnapshot snapshot) {
    return new DeltaPlan(
        snapshot.version(),
        snapshot.columnMapping(),
        snapshot.columns(),
        snapshot.partitionColumns());
  }

  /**
   * The columns as the lake's table has them. All allow NULL: what Delta forbids its writers is no
   * promise that older files keep.
   */
  public List<ColumnSpec> specs() {
    return columns.stream()
        .map(DeltaColumn::spec)
        .map(
            spec ->
                new ColumnSpec(
                    spec.name(),
                    spec.type(),
                    Nulls.ALLOWED,
                    spec.initialDefault(),
                    spec.children()))
        .toList();
  }

  /** The columns as its files have them. */
  List<SourceColumn> sourceColumns() {
    return columns.stream().map(this::sourceColumn).toList();
  }

  private SourceColumn sourceColumn(DeltaColumn column) {
    return new SourceColumn(
        column.name(),
        column.physicalName(),
        mapping == ColumnMapping.ID ? column.fieldId() : null,
        column.type(),
        column.children().stream().map(this::sourceColumn).toList());
  }

  /** The keys that a table made for it is partitioned by. */
  public List<PartitionKey> keys() {
    return partitionColumns.stream()
        .map(column -> new PartitionKey(column, PartitionTransform.Simple.IDENTITY))
        .toList();
  }

  /** The same for another version. */
  DeltaPlan pinnedTo(long otherVersion) {
    return new DeltaPlan(otherVersion, mapping, columns, partitionColumns);
  }

  /** Whether files of the other version are read the same way. */
  public boolean readsAs(DeltaPlan other) {
    return mapping == other.mapping
        && columns.equals(other.columns)
        && partitionColumns.equals(other.partitionColumns);
  }

  /** The text that {@link #parse} reads. */
  public String text() {
    ObjectNode root = LedgerJson.object();
    root.put("version", version);
    root.put("mapping", mapping.name());
    write(root.putArray("columns"), columns);
    partitionColumns.forEach(root.putArray("partitionColumns")::add);
    return LedgerJson.write(root);
  }

  /** Reads what {@link #text} wrote. */
  public static DeltaPlan parse(String text) {
    JsonNode root = LedgerJson.read(text);
    List<String> partitionColumns = new ArrayList<>();
    root.get("partitionColumns").forEach(column -> partitionColumns.add(column.asText()));
    return new DeltaPlan(
        root.get("version").asLong(),
        ColumnMapping.valueOf(root.get("mapping").asText()),
        read(root.get("columns")),
        partitionColumns);
  }

  private static void write(ArrayNode into, List<DeltaColumn> columns) {
    for (DeltaColumn column : columns) {
      ObjectNode node = into.addObject();
      node.put("name", column.name());
      node.put("physical", column.physicalName());
      node.put("id", column.fieldId());
      node.put("type", column.type().text());
      node.put("nulls", column.nulls().name());
      write(node.putArray("children"), column.children());
    }
  }

  private static List<DeltaColumn> read(JsonNode nodes) {
    List<DeltaColumn> columns = new ArrayList<>();
    for (JsonNode node : nodes) {
      columns.add(
          new DeltaColumn(
              node.get("name").asText(),
              node.get("physical").asText(),
              node.get("id").isNull() ? null : Integer.valueOf(node.get("id").asInt()),
              ColumnType.parse(node.get("type").asText()),
              Nulls.valueOf(node.get("nulls").asText()),
              read(node.get("children"))));
    }
    return columns;
  }
}
