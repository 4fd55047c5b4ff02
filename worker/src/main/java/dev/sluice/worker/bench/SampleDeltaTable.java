package dev.sluice.worker.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.storage.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Makes the sample files of a store a Delta table of one version, partitioned by a column that they
 * do not have.
 */
final class SampleDeltaTable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LOG = "_delta_log/00000000000000000000.json";
  private static final String FEATURE = "timestampNtz";
  private static final int READER_WITH_FEATURES = 3;
  private static final int WRITER_WITH_FEATURES = 7;
  private static final String PARTITION = "region";
  private static final int PARTITIONS = 8;

  private SampleDeltaTable() {}

  /** Writes the log; the files are there. */
  static void write(ObjectStore store, RegisterPlan plan) {
    StringBuilder log = new StringBuilder();
    log.append(protocol()).append('\n').append(metadata(plan)).append('\n');
    for (int file = 0; file < plan.files(); file++) {
      log.append(add(store, file, plan.rowsPerFile())).append('\n');
    }
    store.put(LOG, log.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectNode protocol() {
    ObjectNode action = JSON.createObjectNode();
    ObjectNode protocol = action.putObject("protocol");
    protocol.put("minReaderVersion", READER_WITH_FEATURES);
    protocol.put("minWriterVersion", WRITER_WITH_FEATURES);
    protocol.putArray("readerFeatures").add(FEATURE);
    protocol.putArray("writerFeatures").add(FEATURE);
    return action;
  }

  private static ObjectNode metadata(RegisterPlan plan) {
    ObjectNode schema = JSON.createObjectNode().put("type", "struct");
    ArrayNode fields = schema.putArray("fields");
    for (Map.Entry<String, String> column : SampleFiles.deltaTypes(plan.columns()).entrySet()) {
      field(fields, column.getKey(), column.getValue());
    }
    field(fields, PARTITION, "string");
    ObjectNode action = JSON.createObjectNode();
    ObjectNode metadata = action.putObject("metaData");
    metadata.put("id", "benchmark");
    metadata.putObject("format").put("provider", "parquet").putObject("options");
    metadata.put("schemaString", schema.toString());
    metadata.putArray("partitionColumns").add(PARTITION);
    metadata.putObject("configuration");
    return action;
  }

  private static void field(ArrayNode fields, String name, String type) {
    ObjectNode field = fields.addObject();
    field.put("name", name).put("type", type).put("nullable", true).putObject("metadata");
  }

  private static ObjectNode add(ObjectStore store, int file, int rows) {
    String name = SampleFiles.name(file);
    ObjectNode action = JSON.createObjectNode();
    ObjectNode add = action.putObject("add");
    add.put("path", name);
    add.putObject("partitionValues").put(PARTITION, "r" + file % PARTITIONS);
    add.put("size", store.head(name).sizeBytes());
    add.put("modificationTime", 0L);
    add.put("dataChange", true);
    add.put("stats", JSON.createObjectNode().put("numRecords", rows).toString());
    return action;
  }
}
