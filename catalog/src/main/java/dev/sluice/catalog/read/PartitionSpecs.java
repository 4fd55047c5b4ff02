package dev.sluice.catalog.read;

import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.read.FileFacts.PartitionFact;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Joins a file's partition values with the keys of the spec it was written under. */
final class PartitionSpecs {

  private PartitionSpecs() {}

  /** The facts of one file; none when its spec is gone or does not fit its values. */
  static List<PartitionFact> facts(ScanFile file, Map<Long, List<Key>> specs) {
    Long partitionId = file.partitionId();
    List<Key> keys = partitionId == null ? List.of() : specs.getOrDefault(partitionId, List.of());
    if (keys.size() != file.partitionValues().size()) {
      return List.of();
    }
    List<PartitionFact> facts = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Key key = keys.get(i);
      facts.add(new PartitionFact(key.columnId(), key.transform(), file.partitionValues().get(i)));
    }
    return facts;
  }

  /** A stored partition key. */
  record Key(long columnId, PartitionTransform transform) {}
}
