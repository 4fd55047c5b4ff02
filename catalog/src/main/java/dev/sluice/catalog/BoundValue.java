package dev.sluice.catalog;

import java.math.BigDecimal;

/**
 * A parsed statistics value. Values are made by {@link BoundText#parse} and compare only with
 * values of their own kind; whoever mixes kinds made a mistake and gets a {@link
 * ClassCastException}. Immutable and thread-safe.
 */
public sealed interface BoundValue extends Comparable<BoundValue> {

  /** Integers, decimals and booleans (0 and 1), compared exactly. */
  record Exact(BigDecimal number) implements BoundValue {
    /** Drops trailing zeros, so that equal numbers are equal records. */
    public Exact {
      number = number.stripTrailingZeros();
    }

    @Override
    public int compareTo(BoundValue other) {
      return number.compareTo(((Exact) other).number);
    }
  }

  /** Floats; never NaN, and zero has no sign, as in SQL. */
  record Floating(double number) implements BoundValue {
    /** Drops the sign of zero. */
    public Floating {
      number = number + 0.0d;
    }

    @Override
    public int compareTo(BoundValue other) {
      return Double.compare(number, ((Floating) other).number);
    }
  }

  /**
   * Dates, times and timestamps.
   *
   * @param day days since 1970-01-01; the extremes of long for the infinities, 0 for times
   * @param nanosOfDay nanoseconds since midnight, 24:00:00 included; 0 for dates and infinities
   */
  record Temporal(long day, long nanosOfDay) implements BoundValue {
    static final Temporal INFINITY = new Temporal(Long.MAX_VALUE, 0);
    static final Temporal NEGATIVE_INFINITY = new Temporal(Long.MIN_VALUE, 0);

    @Override
    public int compareTo(BoundValue other) {
      Temporal that = (Temporal) other;
      int byDay = Long.compare(day, that.day);
      return byDay != 0 ? byDay : Long.compare(nanosOfDay, that.nanosOfDay);
    }
  }

  /** Text, compared by its UTF-8 bytes: the order of code points, not of Java's chars. */
  record Text(String text) implements BoundValue {
    @Override
    public int compareTo(BoundValue other) {
      String that = ((Text) other).text;
      int shared = Math.min(text.length(), that.length());
      for (int i = 0; i < shared; i++) {
        char left = text.charAt(i);
        char right = that.charAt(i);
        if (left != right) {
          return Character.isSurrogate(left) == Character.isSurrogate(right)
              ? Character.compare(left, right)
              : Boolean.compare(Character.isSurrogate(left), Character.isSurrogate(right));
        }
      }
      return Integer.compare(text.length(), that.length());
    }
  }
}
