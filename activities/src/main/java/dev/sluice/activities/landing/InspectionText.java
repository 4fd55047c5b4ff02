package dev.sluice.activities.landing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.FileMapping;
import dev.sluice.catalog.FileMapping.MappedField;
import dev.sluice.catalog.FileMapping.Origin;
import dev.sluice.catalog.LeafStatistics;
import dev.sluice.catalog.NewDataFile.PartitionValue;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The text that the ledger keeps of an inspection, so that publishing needs no footer again and can
 * happen on another worker. What all files share (columns, mappings, paths of leaf columns) stands
 * once in a heading; a file's own text refers to it by index. Texts may be read by several threads
 * at a time, and written by one.
 */
final class InspectionText {

  private final List<ColumnSpec> columns;
  private final List<PartitionKey> partitioning;
  private final List<FileMapping> mappings = new ArrayList<>();
  private final Map<FileMapping, Integer> mappingIndex = new LinkedHashMap<>();
  private final List<List<String>> leaves = new ArrayList<>();
  private final Map<List<String>, Integer> leafIndex = new LinkedHashMap<>();
  private final long emptyFiles;
  private final String basis;

  /**
   * @param basis what it was made from; empty when nobody said
   */
  InspectionText(
      List<ColumnSpec> columns, List<PartitionKey> partitioning, long emptyFiles, String basis) {
    this.columns = List.copyOf(columns);
    this.partitioning = List.copyOf(partitioning);
    this.emptyFiles = emptyFiles;
    this.basis = basis;
  }

  /** What it was made from; empty when nobody said, as in texts from before it was kept. */
  String basis() {
    return basis;
  }

  List<ColumnSpec> columns() {
    return columns;
  }

  List<PartitionKey> partitioning() {
    return partitioning;
  }

  long emptyFiles() {
    return emptyFiles;
  }

  /** What is particular to one file. */
  record FileFacts(
      FileMapping mapping, List<PartitionValue> partitionValues, List<LeafStatistics> statistics) {

    FileFacts {
      partitionValues = List.copyOf(partitionValues);
      statistics = List.copyOf(statistics);
    }
  }

  /** Gives what a file refers to its place in the heading. */
  void share(FileMapping mapping, List<LeafStatistics> statistics) {
    index(mapping, mappings, mappingIndex);
    statistics.forEach(leaf -> index(leaf.column(), leaves, leafIndex));
  }

  /** Writes a file's facts; call for every file before {@link #heading}. */
  String file(FileFacts facts) {
    return FileFactsText.write(
        facts,
        mapping -> index(mapping, mappings, mappingIndex),
        leaf -> index(leaf, leaves, leafIndex));
  }

  /** Reads what {@link #file} wrote under this heading. */
  FileFacts parseFile(String text) {
    return FileFactsText.read(text, mappings, leaves);
  }

  /** Writes what the files share. */
  String heading() {
    ObjectNode root = LedgerJson.object();
    root.put("basis", basis);
    root.put("emptyFiles", emptyFiles);
    writeColumns(root.putArray("columns"), columns);
    ArrayNode keys = root.putArray("partitioning");
    partitioning.forEach(key -> keys.addArray().add(keyText(key)).add(key.column()));
    ArrayNode leafNodes = root.putArray("leaves");
    leaves.forEach(leaf -> leaf.forEach(leafNodes.addArray()::add));
    ArrayNode mappingNodes = root.putArray("mappings");
    for (FileMapping mapping : mappings) {
      switch (mapping) {
        case FileMapping.ByFieldId byId -> mappingNodes.addNull();
        case FileMapping.ByName byName -> writeFields(mappingNodes.addArray(), byName.fields());
      }
    }
    return LedgerJson.write(root);
  }

  /** Reads what {@link #heading} wrote. */
  static InspectionText parseHeading(String text) {
    JsonNode root = LedgerJson.read(text);
    List<PartitionKey> keys = new ArrayList<>();
    for (JsonNode key : root.get("partitioning")) {
      keys.add(
          new PartitionKey(key.get(1).asText(), PartitionTransform.parse(key.get(0).asText())));
    }
    InspectionText parsed =
        new InspectionText(
            readColumns(root.get("columns")),
            keys,
            root.get("emptyFiles").asLong(),
            root.path("basis").asText());
    for (JsonNode leaf : root.get("leaves")) {
      List<String> path = new ArrayList<>();
      leaf.forEach(part -> path.add(part.asText()));
      index(List.copyOf(path), parsed.leaves, parsed.leafIndex);
    }
    for (JsonNode mapping : root.get("mappings")) {
      FileMapping read =
          mapping.isNull()
              ? new FileMapping.ByFieldId()
              : new FileMapping.ByName(readFields(mapping));
      index(read, parsed.mappings, parsed.mappingIndex);
    }
    return parsed;
  }

  private static <T> int index(T value, List<T> values, Map<T, Integer> indexes) {
    Integer known = indexes.get(value);
    if (known != null) {
      return known;
    }
    indexes.put(value, values.size());
    values.add(value);
    return values.size() - 1;
  }

  private static String keyText(PartitionKey key) {
    return key.transform().text();
  }

  private static void writeColumns(ArrayNode into, List<ColumnSpec> columns) {
    for (ColumnSpec column : columns) {
      ObjectNode node = into.addObject();
      node.put("name", column.name());
      node.put("type", column.type().text());
      node.put("nulls", column.nulls().name());
      node.put("default", column.initialDefault());
      writeColumns(node.putArray("children"), column.children());
    }
  }

  private static List<ColumnSpec> readColumns(JsonNode nodes) {
    List<ColumnSpec> columns = new ArrayList<>();
    for (JsonNode node : nodes) {
      columns.add(
          new ColumnSpec(
              node.get("name").asText(),
              ColumnType.parse(node.get("type").asText()),
              Nulls.valueOf(node.get("nulls").asText()),
              LedgerJson.text(node.get("default")),
              readColumns(node.get("children"))));
    }
    return columns;
  }

  private static void writeFields(ArrayNode into, List<MappedField> fields) {
    for (MappedField field : fields) {
      ArrayNode node = into.addArray();
      node.add(field.sourceName()).add(field.targetName()).add(field.origin().name());
      writeFields(node.addArray(), field.children());
    }
  }

  private static List<MappedField> readFields(JsonNode nodes) {
    List<MappedField> fields = new ArrayList<>();
    for (JsonNode node : nodes) {
      fields.add(
          new MappedField(
              node.get(0).asText(),
              node.get(1).asText(),
              Origin.valueOf(node.get(2).asText()),
              readFields(node.get(3))));
    }
    return fields;
  }
}
