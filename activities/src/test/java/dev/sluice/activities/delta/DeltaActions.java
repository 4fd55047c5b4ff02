package dev.sluice.activities.delta;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lines of Delta commits, as text. */
public final class DeltaActions {

  static final ObjectMapper JSON = new ObjectMapper();

  /** One table, one id. */
  public static final String TABLE_ID = "7f2c1f2e-0000-4000-8000-00000000de17";

  private DeltaActions() {}

  /** The protocol of a table without table features. */
  public static String protocol() {
    return "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}";
  }

  /** The protocol of a table that needs these features of its readers. */
  public static String protocol(String... features) {
    ObjectNode protocol = JSON.createObjectNode();
    protocol.put("minReaderVersion", 3).put("minWriterVersion", 7);
    ArrayNode reader = protocol.putArray("readerFeatures");
    ArrayNode writer = protocol.putArray("writerFeatures");
    for (String feature : features) {
      reader.add(feature);
      writer.add(feature);
    }
    return line("protocol", protocol);
  }

  /** The metadata of a table without properties. */
  public static String metadata(String schema, String... partitionColumns) {
    return metadata(schema, Map.of(), partitionColumns);
  }

  /** The metadata of a table. */
  public static String metadata(
      String schema, Map<String, String> properties, String... partitionColumns) {
    ObjectNode metadata = JSON.createObjectNode();
    metadata.put("id", TABLE_ID);
    metadata.putObject("format").put("provider", "parquet").putObject("options");
    metadata.put("schemaString", schema);
    ArrayNode partitions = metadata.putArray("partitionColumns");
    List.of(partitionColumns).forEach(partitions::add);
    ObjectNode configuration = metadata.putObject("configuration");
    properties.forEach(configuration::put);
    metadata.put("createdTime", 1_700_000_000_000L);
    return line("metaData", metadata);
  }

  /** A schema from its fields. */
  public static String schema(String... fields) {
    return "{\"type\":\"struct\",\"fields\":[" + String.join(",", fields) + "]}";
  }

  /**
   * A nullable field.
   *
   * @param type a primitive type's name, or a nested type as JSON
   */
  public static String field(String name, String type) {
    return fieldWith(name, type, "{}");
  }

  /** A nullable field that is stored under another name. */
  public static String mappedField(String name, String type, int id, String physicalName) {
    return fieldWith(
        name,
        type,
        "{\"delta.columnMapping.id\":%d,\"delta.columnMapping.physicalName\":\"%s\"}"
            .formatted(id, physicalName));
  }

  private static String fieldWith(String name, String type, String metadata) {
    String quoted = type.startsWith("{") ? type : "\"" + type + "\"";
    return "{\"name\":\"%s\",\"type\":%s,\"nullable\":true,\"metadata\":%s}"
        .formatted(name, quoted, metadata);
  }

  /** The removal of a file. */
  public static String remove(String path) {
    ObjectNode remove = JSON.createObjectNode();
    remove.put("path", path).put("deletionTimestamp", 1_700_000_000_000L).put("dataChange", true);
    return line("remove", remove);
  }

  /** The start of an added file's entry. */
  public static Add add(String path) {
    return new Add(path);
  }

  /** An added file's entry, which grows by what is said of the file. */
  public static final class Add {
    private final ObjectNode add = JSON.createObjectNode();
    private final ObjectNode partitionValues;

    private Add(String path) {
      add.put("path", path);
      partitionValues = add.putObject("partitionValues");
      add.put("size", 1_000L).put("modificationTime", 1_700_000_000_000L).put("dataChange", true);
    }

    /** Sets the size. */
    public Add size(long bytes) {
      add.put("size", bytes);
      return this;
    }

    /** Sets a partition value; null for JSON null. */
    public Add partition(String column, @Nullable String value) {
      partitionValues.put(column, value);
      return this;
    }

    /** Sets the statistics to a number of rows. */
    public Add rows(long rows) {
      return statistics("{\"numRecords\":" + rows + "}");
    }

    /** Sets the statistics' text. */
    public Add statistics(String json) {
      add.put("stats", json);
      return this;
    }

    /** Sets a deletion vector that stands in the log. */
    public Add inlineDeletes(long... positions) {
      byte[] bytes = DeltaVectors.serialised(positions);
      return deletes("i", DeltaVectors.z85(bytes), null, bytes.length, positions.length);
    }

    /** Sets a deletion vector of any kind. */
    public Add deletes(
        String storageType, String place, @Nullable Integer offset, int size, long cardinality) {
      ObjectNode vector = add.putObject("deletionVector");
      vector.put("storageType", storageType).put("pathOrInlineDv", place);
      if (offset != null) {
        vector.put("offset", offset);
      }
      vector.put("sizeInBytes", size).put("cardinality", cardinality);
      return this;
    }

    /** The commit's line. */
    @Override
    public String toString() {
      return line("add", add);
    }
  }

  private static String line(String action, ObjectNode content) {
    ObjectNode root = JSON.createObjectNode();
    root.set(action, content);
    return root.toString();
  }
}
