package dev.sluice.activities.parquet;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One end of a column's range, in the unit of the file column's type. Values of one column are of
 * one kind; mixing kinds is a mistake and gives a {@link ClassCastException}. Immutable.
 */
public sealed interface Bound extends Comparable<Bound> {

  /**
   * Signed integers and booleans (0, 1), days of a date, microseconds of a time; for timestamps the
   * unit of the column type.
   */
  record Whole(long value) implements Bound {
    @Override
    public int compareTo(Bound other) {
      return Long.compare(value, ((Whole) other).value);
    }
  }

  /** Decimals at the file's scale, and unsigned 64-bit integers. */
  record Numeric(BigDecimal value) implements Bound {
    @Override
    public int compareTo(Bound other) {
      return value.compareTo(((Numeric) other).value);
    }
  }

  /** Floats, never NaN; -0.0 sorts before 0.0. */
  record Real(double value) implements Bound {
    @Override
    public int compareTo(Bound other) {
      return Double.compare(value, ((Real) other).value);
    }
  }

  /** Text and UUIDs (lower-case, hyphenated), in the order of UTF-8 bytes. */
  record Text(String value) implements Bound {
    @Override
    public int compareTo(Bound other) {
      return Arrays.compareUnsigned(
          value.getBytes(StandardCharsets.UTF_8),
          ((Text) other).value.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Both ends. No value lies outside of them; equal ends therefore are the column's only value.
   *
   * @param min at or below every value that is not NULL and not NaN
   * @param max at or above every such value
   */
  record Range(Bound min, Bound max) {

    /** Whether all values are the same one. */
    public boolean isSingle() {
      return min.compareTo(max) == 0;
    }

    Range union(Range other) {
      return new Range(
          min.compareTo(other.min) <= 0 ? min : other.min,
          max.compareTo(other.max) >= 0 ? max : other.max);
    }
  }
}
