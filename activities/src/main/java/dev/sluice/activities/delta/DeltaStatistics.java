package dev.sluice.activities.delta;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the log says about one file's content. Unknown is null or absent, never zero. Bounds are
 * never narrower than the data: a maximum that its writer cut off (timestamps to milliseconds) is
 * moved up by what may have been cut, and what cannot be trusted is unknown.
 *
 * @param records rows in the file, deleted ones included; null when unknown
 * @param columns by the leaf's path of logical names; leaves without statistics are absent
 */
public record DeltaStatistics(@Nullable Long records, Map<List<String>, Facts> columns) {

  /** Nothing is known. */
  public static final DeltaStatistics UNKNOWN = new DeltaStatistics(null, Map.of());

  /** Copies the map. */
  public DeltaStatistics {
    columns = Map.copyOf(columns);
  }

  /**
   * One leaf column, deleted rows included.
   *
   * @param min at or below every value, in the text form of DuckLake's bounds; null when unknown.
   *     For floats NaN may exist beyond both bounds
   * @param max at or above every value; null when unknown
   * @param nulls number of NULLs; null when unknown
   */
  public record Facts(@Nullable String min, @Nullable String max, @Nullable Long nulls) {}
}
