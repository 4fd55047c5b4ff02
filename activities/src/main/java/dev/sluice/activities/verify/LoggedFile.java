package dev.sluice.activities.verify;

import dev.sluice.activities.delta.DeletionVector;
import dev.sluice.activities.delta.DeltaFile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a verification keeps of a file that a Delta table's log names.
 *
 * @param key its key below the table's folder
 * @param sizeBytes its size by the log
 * @param rows rows in it, deleted ones included; null when the log does not count them
 * @param partitionValues by logical name; null is SQL NULL
 * @param deletes which of its rows are deleted; null when none is
 */
record LoggedFile(
    String key,
    long sizeBytes,
    @Nullable Long rows,
    Map<String, @Nullable String> partitionValues,
    @Nullable DeletionVector deletes) {

  /** Copies the map. */
  LoggedFile {
    partitionValues = Collections.unmodifiableMap(new LinkedHashMap<>(partitionValues));
  }

  static LoggedFile of(DeltaFile file) {
    return new LoggedFile(
        file.key(),
        file.sizeBytes(),
        file.statistics().records(),
        file.partitionValues(),
        file.deletionVector());
  }

  long deletedRows() {
    return deletes == null ? 0 : deletes.cardinality();
  }
}
