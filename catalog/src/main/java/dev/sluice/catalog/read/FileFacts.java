package dev.sluice.catalog.read;

import dev.sluice.catalog.PartitionTransform;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the catalog says about a file's content.
 *
 * @param recordCount rows in the file
 * @param statistics by leaf column id; a missing leaf is unknown
 * @param partitions one per partition key of the spec the file was written under
 */
record FileFacts(
    long recordCount, Map<Long, Statistics> statistics, List<PartitionFact> partitions) {

  FileFacts {
    statistics = Map.copyOf(statistics);
    partitions = List.copyOf(partitions);
  }

  /** One row of {@code ducklake_file_column_stats}; null components are unknown. */
  record Statistics(
      @Nullable Long valueCount,
      @Nullable Long nullCount,
      @Nullable String min,
      @Nullable String max,
      @Nullable Boolean containsNan) {

    /**
     * Every value of the column is NULL. Both counts must agree with the file: DuckDB registers
     * columns that it has no statistics for with zeros (ducklake-format 5.3).
     */
    boolean isAllNull(long recordCount) {
      return valueCount != null && valueCount == 0 && hasNulls(recordCount, recordCount);
    }

    /** No value of the column is NULL, both counts agreeing with the file. */
    boolean isNullFree(long recordCount) {
      return valueCount != null && valueCount == recordCount && hasNulls(0, recordCount);
    }

    private boolean hasNulls(long nulls, long recordCount) {
      return nullCount != null && nullCount == nulls && recordCount > 0;
    }
  }

  /**
   * One partition value.
   *
   * @param columnId the source column
   * @param transform what was taken from it
   * @param value the stored text; empty for SQL NULL
   */
  record PartitionFact(long columnId, PartitionTransform transform, Optional<String> value) {}
}
