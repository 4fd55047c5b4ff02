package dev.sluice.activities.delta;

import dev.sluice.activities.storage.StorageLocation;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.MapValue;
import io.delta.kernel.data.Row;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the log's {@code add} entries into files. Immutable and thread-safe. */
final class FileEntries {

  private final StorageLocation table;
  private final DeltaPaths paths;
  private final StatisticsReader statistics;
  private final List<DeltaColumn> partitions;

  FileEntries(StorageLocation table, DeltaSchema schema) {
    this.table = table;
    this.paths = new DeltaPaths(table);
    this.statistics = new StatisticsReader(schema);
    this.partitions = schema.partitionColumns().stream().map(schema::column).toList();
  }

  /** The file of one row of a scan. */
  DeltaFile file(Row scanRow) {
    Row add = scanRow.getStruct(scanRow.getSchema().indexOf("add"));
    String key = paths.file(requireText(add, "path", "a file of the log"));
    DeletionVector deletes = deletes(add, key);
    return new DeltaFile(
        key,
        requireLong(add, "size", key),
        Instant.ofEpochMilli(requireLong(add, "modificationTime", key)),
        partitionValues(key, add),
        statistics.read(
            text(add, "stats"),
            deletes == null ? StatisticsReader.Deletes.NONE : StatisticsReader.Deletes.SOME),
        deletes);
  }

  private Map<String, @Nullable String> partitionValues(String key, Row add) {
    int at = add.getSchema().indexOf("partitionValues");
    Map<String, @Nullable String> raw =
        add.isNullAt(at) ? new HashMap<>() : byLowerName(add.getMap(at));
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    for (DeltaColumn column : partitions) {
      String name = column.physicalName().toLowerCase(Locale.ROOT);
      if (!raw.containsKey(name)) {
        throw DeltaErrors.partitionValueMissing(table, key, column.name());
      }
      values.put(column.name(), value(key, column, raw.get(name)));
    }
    return values;
  }

  private @Nullable String value(String key, DeltaColumn column, @Nullable String raw) {
    if (raw == null || PartitionText.isNull(column.type(), raw)) {
      return null;
    }
    return PartitionText.canonical(column.type(), raw)
        .orElseThrow(
            () ->
                DeltaErrors.badPartitionValue(
                    table, key, column.name(), raw, column.type().text()));
  }

  /** Column names are unique without regard to case, and writers differ in theirs. */
  private static Map<String, @Nullable String> byLowerName(MapValue map) {
    ColumnVector keys = map.getKeys();
    ColumnVector values = map.getValues();
    Map<String, @Nullable String> found = new HashMap<>();
    for (int i = 0; i < map.getSize(); i++) {
      found.put(
          keys.getString(i).toLowerCase(Locale.ROOT),
          values.isNullAt(i) ? null : values.getString(i));
    }
    return found;
  }

  private @Nullable DeletionVector deletes(Row add, String key) {
    int at = add.getSchema().indexOf("deletionVector");
    if (add.isNullAt(at)) {
      return null;
    }
    Row vector = add.getStruct(at);
    String place = requireText(vector, "pathOrInlineDv", key);
    int sizeBytes = vector.getInt(vector.getSchema().indexOf("sizeInBytes"));
    long cardinality = requireLong(vector, "cardinality", key);
    int offsetAt = vector.getSchema().indexOf("offset");
    int offset = vector.isNullAt(offsetAt) ? 0 : vector.getInt(offsetAt);
    return switch (requireText(vector, "storageType", key)) {
      case "i" -> new DeletionVector.Inline(place, sizeBytes, cardinality);
      case "u" ->
          new DeletionVector.Stored(paths.vectorByUuid(key, place), offset, sizeBytes, cardinality);
      case "p" ->
          new DeletionVector.Stored(paths.vectorByPath(place), offset, sizeBytes, cardinality);
      case String other ->
          throw DeltaErrors.badEntry(
              table, key, "its deletion vector is stored in the unknown way '" + other + "'", null);
    };
  }

  private static @Nullable String text(Row row, String field) {
    int at = row.getSchema().indexOf(field);
    return row.isNullAt(at) ? null : row.getString(at);
  }

  private String requireText(Row row, String field, String file) {
    String found = text(row, field);
    if (found == null) {
      throw DeltaErrors.badEntry(table, file, "it has no " + field, null);
    }
    return found;
  }

  private long requireLong(Row row, String field, String file) {
    int at = row.getSchema().indexOf(field);
    if (row.isNullAt(at)) {
      throw DeltaErrors.badEntry(table, file, "it has no " + field, null);
    }
    return row.getLong(at);
  }
}
