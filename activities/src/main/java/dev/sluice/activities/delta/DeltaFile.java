package dev.sluice.activities.delta;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A live data file of one version, as the log describes it.
 *
 * @param key the object's key below the table's folder, percent-decoded once from the log's path
 * @param sizeBytes size as of the log
 * @param modifiedAt when the file was made, as of the log
 * @param partitionValues one entry per partition column, by logical name and in the order of {@link
 *     DeltaSnapshot#partitionColumns()}. The text is one that DuckDB casts to the column's type
 *     (UTC for timestamps with time zone); null is SQL NULL. Values come from the log, never from
 *     paths
 * @param statistics what the log says about the content; nothing when it has no statistics
 * @param deletionVector rows of the file that are deleted; null when there are none
 */
public record DeltaFile(
    String key,
    long sizeBytes,
    Instant modifiedAt,
    Map<String, @Nullable String> partitionValues,
    DeltaStatistics statistics,
    @Nullable DeletionVector deletionVector) {

  /** Copies the map. */
  public DeltaFile {
    partitionValues = Collections.unmodifiableMap(new LinkedHashMap<>(partitionValues));
  }

  /** Rows that are not deleted; null when the log does not count the file's rows. */
  public @Nullable Long liveRecords() {
    Long records = statistics.records();
    if (records == null) {
      return null;
    }
    return deletionVector == null ? records : records - deletionVector.cardinality();
  }
}
