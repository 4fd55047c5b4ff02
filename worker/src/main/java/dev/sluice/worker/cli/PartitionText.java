package dev.sluice.worker.cli;

import dev.sluice.catalog.PartitionKey;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.Partitioning;
import dev.sluice.catalog.read.ScanFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Partitions as people write them. */
final class PartitionText {

  private PartitionText() {}

  /** The keys of a spec, such as {@code region} or {@code year(ts)}. */
  static List<String> keys(Partitioning partitioning) {
    return partitioning.keys().stream().map(PartitionText::key).toList();
  }

  private static String key(PartitionKey key) {
    return switch (key.transform()) {
      case PartitionTransform.Simple simple ->
          simple == PartitionTransform.Simple.IDENTITY
              ? key.column()
              : simple.text() + "(" + key.column() + ")";
      case PartitionTransform.Bucket bucket ->
          "bucket(" + bucket.buckets() + ", " + key.column() + ")";
    };
  }

  /** A file's values by key; empty when it has none. */
  static Map<String, @Nullable Object> values(ScanFile file, Map<Long, Partitioning> specs) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    Partitioning spec = file.partitionId() == null ? null : specs.get(file.partitionId());
    List<PartitionKey> keys = spec == null ? List.of() : spec.keys();
    List<Optional<String>> stored = file.partitionValues();
    for (int i = 0; i < stored.size(); i++) {
      values.put(i < keys.size() ? key(keys.get(i)) : "#" + i, stored.get(i).orElse(null));
    }
    return values;
  }

  /** The same in one text; null when there are none. */
  static @Nullable String line(ScanFile file, Map<Long, Partitioning> specs) {
    List<String> texts = new ArrayList<>();
    values(file, specs)
        .forEach((key, value) -> texts.add(key + "=" + (value == null ? "NULL" : value)));
    return texts.isEmpty() ? null : String.join(", ", texts);
  }
}
