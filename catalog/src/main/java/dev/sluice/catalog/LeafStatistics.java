package dev.sluice.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of one leaf column in one file (ducklake-format 5.3). Unknown is null, never zero.
 *
 * @param column the leaf's path of names in the table, from the top-level column down
 * @param columnSizeBytes compressed bytes of the column's chunks
 * @param valueCount non-NULL leaf values; null when unknown
 * @param nullCount NULL leaf values; null when unknown
 * @param min at or below every value, in DuckDB's text form; null when unknown. Set together with
 *     {@code max} or not at all
 * @param max at or above every value; null when unknown
 * @param containsNan for floats when known; null otherwise
 * @param extraStats JSON for geometry and variant; null otherwise
 */
public record LeafStatistics(
    List<String> column,
    long columnSizeBytes,
    @Nullable Long valueCount,
    @Nullable Long nullCount,
    @Nullable String min,
    @Nullable String max,
    @Nullable Boolean containsNan,
    @Nullable String extraStats) {

  /** Copies the path. */
  public LeafStatistics {
    column = List.copyOf(column);
  }
}
