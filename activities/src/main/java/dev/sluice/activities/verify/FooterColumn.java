package dev.sluice.activities.verify;

import dev.sluice.activities.query.TableFacts.Range;
import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.LeafStatistics;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Adds up what footers say of one column. Not thread-safe. */
final class FooterColumn {

  private final ColumnType type;
  private long nulls;
  private boolean nullsKnown = true;
  private boolean rangeKnown = true;
  private @Nullable String min;
  private @Nullable String max;

  FooterColumn(ColumnType type) {
    this.type = type;
  }

  void addUnknown() {
    nullsKnown = false;
    rangeKnown = false;
  }

  void addConstant(@Nullable String value, long rows) {
    if (value == null) {
      nulls = Math.addExact(nulls, rows);
    } else {
      addRange(value, value);
    }
  }

  void addLeaves(List<LeafStatistics> leaves) {
    for (LeafStatistics leaf : leaves) {
      if (leaf.nullCount() == null) {
        nullsKnown = false;
      } else {
        nulls = Math.addExact(nulls, leaf.nullCount());
      }
    }
    LeafStatistics first = leaves.get(0);
    if (!Objects.equals(first.valueCount(), 0L)) {
      if (first.min() == null || first.max() == null) {
        rangeKnown = false;
      } else {
        addRange(first.min(), first.max());
      }
    }
  }

  private void addRange(String low, String high) {
    min = first(min, low, 1);
    max = first(max, high, -1);
  }

  /** The one of both that comes first in the direction; text that cannot be ordered is no bound. */
  private @Nullable String first(@Nullable String known, String added, int direction) {
    OptionalInt order = BoundText.compare(type, known == null ? added : known, added);
    if (order.isEmpty()) {
      rangeKnown = false;
    }
    return known == null || order.orElse(0) * direction > 0 ? added : known;
  }

  OptionalLong nulls() {
    return nullsKnown ? OptionalLong.of(nulls) : OptionalLong.empty();
  }

  Optional<Range> range() {
    return rangeKnown ? Optional.of(new Range(min, max)) : Optional.empty();
  }
}
