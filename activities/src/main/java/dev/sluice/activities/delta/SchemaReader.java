package dev.sluice.activities.delta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.storage.StorageLocation;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.Nulls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schema text of a table's metadata (Delta protocol, "Schema Serialization Format") into
 * columns of DuckLake's types. Not done by Delta Kernel, which gives up on the whole schema when
 * one column is void or of a type it does not know, without naming the column.
 *
 * <p>A column that can hold nothing but NULL (void, a struct without fields) is left out and
 * listed; a column of a type that cannot be carried over is refused. Not thread-safe: one use.
 */
final class SchemaReader {

  private static final String METADATA = "metadata";
  private static final String PHYSICAL_NAME = "delta.columnMapping.physicalName";
  private static final String FIELD_ID = "delta.columnMapping.id";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StorageLocation table;
  private final ColumnMapping mapping;
  private final List<LeftOutColumn> leftOut = new ArrayList<>();

  private SchemaReader(StorageLocation table, ColumnMapping mapping) {
    this.table = table;
    this.mapping = mapping;
  }

  /**
   * Reads a schema.
   *
   * @param partitionColumns logical names as the metadata has them; matched without regard to case
   * @throws DeltaException of kind UNSUPPORTED_COLUMN
   */
  static DeltaSchema read(
      StorageLocation table,
      ColumnMapping mapping,
      String schemaText,
      List<String> partitionColumns) {
    return new SchemaReader(table, mapping).schema(schemaText, partitionColumns);
  }

  private DeltaSchema schema(String schemaText, List<String> partitionColumns) {
    JsonNode root;
    try {
      root = JSON.readTree(schemaText);
    } catch (JsonProcessingException e) {
      throw DeltaErrors.badSchema(table, "it is no JSON: " + e.getOriginalMessage());
    }
    if (!root.path("type").asText().equals("struct") || !root.path("fields").isArray()) {
      throw DeltaErrors.badSchema(table, "it is no struct with fields");
    }
    List<DeltaColumn> columns = fields(List.of(), root.path("fields"));
    if (columns.isEmpty()) {
      throw DeltaErrors.badSchema(
          table,
          leftOut.isEmpty() ? "it has no columns" : "no column is left: " + leftOut.get(0).text());
    }
    List<String> partitions =
        partitionColumns.stream().map(name -> partitionColumn(columns, name)).toList();
    return new DeltaSchema(columns, leftOut, partitions);
  }

  private String partitionColumn(List<DeltaColumn> columns, String name) {
    DeltaColumn column =
        columns.stream()
            .filter(each -> each.name().equalsIgnoreCase(name))
            .findFirst()
            .orElseThrow(
                () ->
                    DeltaErrors.badSchema(
                        table, "it lacks the partition column '%s'".formatted(name)));
    if (column.type() instanceof Nested) {
      throw DeltaErrors.badSchema(
          table, "partition column '%s' is a %s".formatted(name, column.type().text()));
    }
    return column.name();
  }

  private List<DeltaColumn> fields(List<String> parent, JsonNode fields) {
    List<DeltaColumn> found = new ArrayList<>();
    for (JsonNode field : fields) {
      String name = field.path("name").asText();
      if (name.isEmpty()) {
        throw DeltaErrors.badSchema(table, "a field has no name: " + field);
      }
      List<String> path = append(parent, name);
      Nulls nulls = field.path("nullable").asBoolean(true) ? Nulls.ALLOWED : Nulls.FORBIDDEN;
      column(path, physicalName(path, field), fieldId(path, field), nulls, field.path("type"))
          .ifPresent(found::add);
    }
    return found;
  }

  private String physicalName(List<String> path, JsonNode field) {
    return switch (mapping) {
      case NONE -> path.get(path.size() - 1);
      case NAME, ID -> {
        String name = field.path(METADATA).path(PHYSICAL_NAME).asText();
        if (name.isEmpty()) {
          throw unmapped(path, PHYSICAL_NAME);
        }
        yield name;
      }
    };
  }

  private @Nullable Integer fieldId(List<String> path, JsonNode field) {
    JsonNode id = field.path(METADATA).path(FIELD_ID);
    return switch (mapping) {
      case NONE -> null;
      case NAME -> id.isIntegralNumber() ? Integer.valueOf(id.intValue()) : null;
      case ID -> {
        if (!id.isIntegralNumber() || !id.canConvertToInt()) {
          throw unmapped(path, FIELD_ID);
        }
        yield id.intValue();
      }
    };
  }

  private DeltaException unmapped(List<String> path, String key) {
    return DeltaErrors.badSchema(
        table,
        "column mapping by %s is on and column '%s' has no %s"
            .formatted(mapping, String.join(".", path), key));
  }

  private Optional<DeltaColumn> column(
      List<String> path,
      String physicalName,
      @Nullable Integer fieldId,
      Nulls nulls,
      JsonNode type) {
    if (type.isTextual()) {
      return scalar(path, type.asText())
          .map(
              scalar ->
                  new DeltaColumn(
                      path.get(path.size() - 1), physicalName, fieldId, scalar, nulls, List.of()));
    }
    return switch (type.path("type").asText()) {
      case "struct" ->
          nested(
              path,
              physicalName,
              fieldId,
              nulls,
              Nested.STRUCT,
              fields(path, type.path("fields")),
              "it is a struct without fields that could be read");
      case "array" ->
          nested(
              path,
              physicalName,
              fieldId,
              nulls,
              Nested.LIST,
              part(path, "element", type.path("elementType")),
              "its elements cannot be anything but NULL");
      case "map" -> map(path, physicalName, fieldId, nulls, type);
      default ->
          throw DeltaErrors.unsupportedColumn(
              table, path, type.path("type").asText("?"), "DuckLake has no such type");
    };
  }

  private Optional<DeltaColumn> map(
      List<String> path,
      String physicalName,
      @Nullable Integer fieldId,
      Nulls nulls,
      JsonNode type) {
    List<DeltaColumn> parts = new ArrayList<>(part(path, "key", type.path("keyType")));
    parts.addAll(part(path, "value", type.path("valueType")));
    return nested(
        path,
        physicalName,
        fieldId,
        nulls,
        Nested.MAP,
        parts.size() == 2 ? parts : List.of(),
        "its keys or values cannot be anything but NULL");
  }

  private List<DeltaColumn> part(List<String> path, String role, JsonNode type) {
    return column(append(path, role), role, null, Nulls.ALLOWED, type).stream().toList();
  }

  private Optional<DeltaColumn> nested(
      List<String> path,
      String physicalName,
      @Nullable Integer fieldId,
      Nulls nulls,
      Nested kind,
      List<DeltaColumn> children,
      String reasonWhenEmpty) {
    if (children.isEmpty()) {
      leftOut.add(new LeftOutColumn(path, reasonWhenEmpty));
      return Optional.empty();
    }
    return Optional.of(
        new DeltaColumn(path.get(path.size() - 1), physicalName, fieldId, kind, nulls, children));
  }

  private Optional<ColumnType> scalar(List<String> path, String name) {
    if (name.equalsIgnoreCase("void")) {
      leftOut.add(new LeftOutColumn(path, "it is of type void, which holds nothing but NULL"));
      return Optional.empty();
    }
    return Optional.of(
        DeltaTypes.find(name)
            .orElseThrow(
                () ->
                    DeltaErrors.unsupportedColumn(
                        table, path, name, "its values would not be read as they are meant")));
  }

  private static List<String> append(List<String> path, String name) {
    List<String> longer = new ArrayList<>(path);
    longer.add(name);
    return List.copyOf(longer);
  }
}
