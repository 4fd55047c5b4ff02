package dev.sluice.activities.landing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.delta.DeletionVector;
import dev.sluice.activities.delta.DeltaFile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the log says about a file of a pinned version, as the ledger keeps it.
 *
 * @param partitionValues by logical name, in the order of partitioning; null is SQL NULL
 * @param logRows rows in the file, deleted ones included; null when the log does not count them
 * @param deletes which of its rows are deleted; null when none is
 * @param deletedRows what becomes of rows that are deleted
 */
public record DeltaFilePlan(
    Map<String, @Nullable String> partitionValues,
    @Nullable Long logRows,
    @Nullable DeletionVector deletes,
    DeletedRows deletedRows) {

  /** Copies the map. */
  public DeltaFilePlan {
    partitionValues = Collections.unmodifiableMap(new LinkedHashMap<>(partitionValues));
  }

  /** The plan of a file as the log has it. */
  public static DeltaFilePlan of(DeltaFile file, DeletedRows deletedRows) {
    return new DeltaFilePlan(
        file.partitionValues(), file.statistics().records(), file.deletionVector(), deletedRows);
  }

  /** Rows that the log says are deleted. */
  public long deletedCount() {
    return deletes == null ? 0 : deletes.cardinality();
  }

  /** The text that {@link #parse} reads. */
  public String text() {
    ObjectNode root = LedgerJson.object();
    ObjectNode values = root.putObject("partition");
    partitionValues.forEach(values::put);
    root.put("rows", logRows);
    switch (deletes) {
      case null -> root.putNull("vector");
      case DeletionVector.Inline(String encoded, int size, long count) ->
          root.putObject("vector").put("inline", encoded).put("size", size).put("count", count);
      case DeletionVector.Stored(String key, int offset, int size, long count) ->
          root.putObject("vector")
              .put("key", key)
              .put("offset", offset)
              .put("size", size)
              .put("count", count);
    }
    root.put("deletedRows", deletedRows.name());
    return LedgerJson.write(root);
  }

  /** Reads what {@link #text} wrote. */
  public static DeltaFilePlan parse(String text) {
    JsonNode root = LedgerJson.read(text);
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    root.get("partition")
        .properties()
        .forEach(value -> values.put(value.getKey(), LedgerJson.text(value.getValue())));
    return new DeltaFilePlan(
        values,
        LedgerJson.number(root.get("rows")),
        vector(root.get("vector")),
        DeletedRows.valueOf(root.get("deletedRows").asText()));
  }

  private static @Nullable DeletionVector vector(JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    int size = node.get("size").asInt();
    long count = node.get("count").asLong();
    return node.has("inline")
        ? new DeletionVector.Inline(node.get("inline").asText(), size, count)
        : new DeletionVector.Stored(
            node.get("key").asText(), node.get("offset").asInt(), size, count);
  }
}
