package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileType.Storage;
import dev.sluice.activities.parquet.FileType.Supported;
import dev.sluice.activities.parquet.SchemaDecoder.LeafShape;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * Merges the statistics of one leaf over row groups. A row group that does not say something makes
 * it unknown for the file; a row group without values says nothing about bounds.
 */
final class LeafAccumulator {

  private static final Statistics ABSENT = new Statistics();

  private final LeafShape shape;
  private final boolean ordered;
  private long sizeBytes;
  private long slots;
  private long nulls;
  private boolean nullsKnown = true;
  private Bound.@Nullable Range range;
  private boolean rangeKnown;
  private boolean nan;
  private boolean nanKnown;

  LeafAccumulator(LeafShape shape, boolean ordered) {
    this.shape = shape;
    this.ordered = ordered;
    this.rangeKnown = shape.type() instanceof Supported;
    this.nanKnown =
        shape.type() instanceof Supported supported
            && (supported.storage() == Storage.FLOAT || supported.storage() == Storage.DOUBLE);
  }

  /** Adds a row group's chunk; counts were checked before. */
  void add(ColumnMetaData chunk) {
    Statistics statistics = chunk.isSetStatistics() ? chunk.getStatistics() : ABSENT;
    long values = chunk.getNum_values();
    sizeBytes += chunk.getTotal_compressed_size();
    slots += values;
    boolean known =
        (shape.required() && !shape.repeated()) || isAllNull() || statistics.isSetNull_count();
    long groupNulls = groupNulls(statistics, values);
    nullsKnown &= known && groupNulls >= 0 && groupNulls <= values;
    nulls += groupNulls;
    if (known && groupNulls == values) {
      return;
    }
    addRange(statistics);
    addNan(statistics);
  }

  private long groupNulls(Statistics statistics, long values) {
    if (isAllNull()) {
      return values;
    }
    return statistics.isSetNull_count() ? statistics.getNull_count() : 0;
  }

  private boolean isAllNull() {
    return shape.type() instanceof Supported supported && supported.storage() == Storage.ALL_NULL;
  }

  private void addRange(Statistics statistics) {
    if (!rangeKnown || !(shape.type() instanceof Supported supported)) {
      return;
    }
    Bound.Range group = ChunkStatistics.range(supported, statistics, ordered);
    if (group == null) {
      rangeKnown = false;
    } else {
      range = range == null ? group : range.union(group);
    }
  }

  private void addNan(Statistics statistics) {
    if (statistics.isSetNan_count()) {
      nan |= statistics.getNan_count() > 0;
    } else {
      nanKnown = false;
    }
  }

  LeafFacts facts() {
    return new LeafFacts(
        sizeBytes,
        slots,
        nullsKnown ? Long.valueOf(nulls) : null,
        rangeKnown ? range : null,
        nan ? Boolean.TRUE : nanKnown ? Boolean.FALSE : null);
  }
}
