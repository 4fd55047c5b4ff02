package dev.sluice.catalog.commit;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.LeafStatistics;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The union of a column's statistics over files, as {@code ducklake_table_column_stats} holds it
 * (ducklake-format 5.5). What is unknown on one side is unknown in the union, for good; bounds are
 * kept both or not at all, since a single one misleads DuckDB. Not thread-safe.
 */
final class LeafSummary {

  private final ColumnType type;
  private @Nullable Boolean containsNull;
  private @Nullable Boolean containsNan;
  private @Nullable String min;
  private @Nullable String max;
  private boolean boundsKnown;
  private boolean isWithoutBounds;
  private int files;

  private LeafSummary(ColumnType type) {
    this.type = type;
  }

  /** The summary of no rows at all. */
  static LeafSummary ofNothing(ColumnType type) {
    LeafSummary summary = new LeafSummary(type);
    summary.containsNull = Boolean.FALSE;
    summary.containsNan = isFloat(type) ? Boolean.FALSE : null;
    summary.boundsKnown = BoundText.isOrdered(type);
    return summary;
  }

  /**
   * A stored summary.
   *
   * @param min null when unknown, which it stays
   */
  static LeafSummary stored(
      ColumnType type,
      @Nullable Boolean containsNull,
      @Nullable Boolean containsNan,
      @Nullable String min,
      @Nullable String max) {
    LeafSummary summary = new LeafSummary(type);
    summary.containsNull = containsNull;
    summary.containsNan = containsNan;
    summary.min = min;
    summary.max = max;
    summary.boundsKnown = min != null && max != null;
    return summary;
  }

  /** Adds a file; null when nothing is known about the column in it. */
  void add(@Nullable LeafStatistics file) {
    files++;
    if (file == null) {
      containsNull = null;
      containsNan = null;
      forgetBounds();
      return;
    }
    Long nulls = file.nullCount();
    containsNull = union(containsNull, nulls == null ? null : Boolean.valueOf(nulls > 0));
    containsNan = isFloat(type) ? union(containsNan, file.containsNan()) : null;
    if (file.valueCount() != null && file.valueCount() == 0) {
      return;
    }
    addBounds(file.min(), file.max());
  }

  private void addBounds(@Nullable String fileMin, @Nullable String fileMax) {
    if (!boundsKnown || fileMin == null || fileMax == null) {
      forgetBounds();
      return;
    }
    if (min == null || max == null) {
      boolean ordered = BoundText.compare(type, fileMin, fileMax).isPresent();
      if (ordered && isStorable(fileMin) && isStorable(fileMax)) {
        min = fileMin;
        max = fileMax;
      } else {
        forgetBounds();
      }
      return;
    }
    OptionalInt lower = BoundText.compare(type, fileMin, min);
    OptionalInt upper = BoundText.compare(type, fileMax, max);
    if (lower.isEmpty() || upper.isEmpty() || !isStorable(fileMin) || !isStorable(fileMax)) {
      forgetBounds();
      return;
    }
    min = lower.getAsInt() < 0 ? fileMin : min;
    max = upper.getAsInt() > 0 ? fileMax : max;
  }

  private void forgetBounds() {
    isWithoutBounds = BoundText.isOrdered(type);
    boundsKnown = false;
    min = null;
    max = null;
  }

  private static boolean isStorable(String bound) {
    return bound.indexOf('\0') < 0;
  }

  private static @Nullable Boolean union(@Nullable Boolean one, @Nullable Boolean other) {
    return (one == null || other == null) ? null : Boolean.valueOf(one || other);
  }

  private static boolean isFloat(ColumnType type) {
    return type == Scalar.FLOAT32 || type == Scalar.FLOAT64;
  }

  /**
   * Whether there are values whose bounds are not known. Such a summary must not be stored: DuckDB
   * takes missing bounds for those of no values and makes its next insert's the table's.
   */
  boolean isWithoutBounds() {
    return isWithoutBounds;
  }

  /** Files that were added. */
  int files() {
    return files;
  }

  @Nullable Boolean containsNull() {
    return containsNull;
  }

  @Nullable Boolean containsNan() {
    return containsNan;
  }

  @Nullable String min() {
    return min;
  }

  @Nullable String max() {
    return max;
  }
}
