package dev.sluice.activities.parquet;

import org.jspecify.annotations.Nullable;

/**
 * What a file's footer says about one leaf column, over all row groups. Unknown is null.
 *
 * @param sizeBytes compressed bytes of the column's chunks
 * @param slots values and NULLs together; for a column that is not in a list or map: the rows
 * @param nulls NULLs among them; null when some row group does not say
 * @param range bounds of the values; null when some row group does not say, when there is no value,
 *     and where the bounds cannot be trusted
 * @param containsNan for floats when known, null otherwise
 */
public record LeafFacts(
    long sizeBytes,
    long slots,
    @Nullable Long nulls,
    Bound.@Nullable Range range,
    @Nullable Boolean containsNan) {

  /** Values that are not NULL; null when the NULLs are unknown. */
  public @Nullable Long values() {
    return nulls == null ? null : Long.valueOf(slots - nulls);
  }

  /** Whether it is known that there is no value at all. */
  public boolean isAllNull() {
    return nulls != null && nulls == slots;
  }
}
