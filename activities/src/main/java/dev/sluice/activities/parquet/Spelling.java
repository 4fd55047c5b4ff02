package dev.sluice.activities.parquet;

import dev.sluice.catalog.BoundValue;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Spells bounds as DuckDB spells values of the column's type (ducklake-format 5.1), so that a cast
 * of the text gives the value back. What cannot be spelled safely is null.
 */
final class Spelling {

  /** DuckDB's own limit for text bounds. */
  private static final int MAX_TEXT_BYTES = 256;

  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long SECONDS_PER_DAY = 86_400;

  private Spelling() {}

  /**
   * A spelled range.
   *
   * @param min text at or below every value
   * @param max text at or above every value
   */
  record Spelled(String min, String max) {}

  /** Spells both ends of a range of file values in a column's type; null unless both can be. */
  static @Nullable Spelled range(Bound.Range range, ColumnType from, ColumnType column) {
    if (range.min() instanceof Bound.Text(String min)
        && range.max() instanceof Bound.Text(String max)) {
      return text(min, max);
    }
    String min = value(range.min(), from, column);
    String max = value(range.max(), from, column);
    return min == null || max == null ? null : new Spelled(min, max);
  }

  /** Spells one value of a file column in a column's type; null when it has no exact form there. */
  static @Nullable String value(Bound bound, ColumnType from, ColumnType column) {
    return switch (bound) {
      case Bound.Text(String text) -> text;
      case Bound.Real(double real) -> column == Scalar.FLOAT32 ? float32(real) : float64(real);
      case Bound.Numeric(BigDecimal number) -> number(number, column);
      case Bound.Whole(long whole) -> whole(whole, from, column);
    };
  }

  private static @Nullable String number(BigDecimal number, ColumnType column) {
    if (!(column instanceof Decimal decimal)) {
      return number.toPlainString();
    }
    return number.stripTrailingZeros().scale() <= decimal.scale()
        ? number.setScale(decimal.scale()).toPlainString()
        : null;
  }

  private static @Nullable String whole(long value, ColumnType from, ColumnType column) {
    return switch (column) {
      case Nested nested -> null;
      case Decimal decimal -> null;
      case Scalar scalar ->
          switch (scalar) {
            case BOOLEAN -> value == 0 ? "false" : "true";
            case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 -> Long.toString(value);
            case DATE -> date(value);
            case TIME -> time(value, MICROS_PER_SECOND);
            case TIMESTAMP, TIMESTAMP_US, TIMESTAMP_S, TIMESTAMP_MS, TIMESTAMP_NS ->
                timestamp(value, from, scalar);
            case TIMESTAMPTZ -> zoned(value);
            case INT128,
                UINT128,
                FLOAT32,
                FLOAT64,
                TIME_NS,
                TIMETZ,
                INTERVAL,
                VARCHAR,
                JSON,
                BLOB,
                UUID,
                GEOMETRY,
                VARIANT ->
                null;
          };
    };
  }

  /** Bounds beyond DuckDB's limit are cut where that keeps them bounds: in plain ASCII. */
  private static @Nullable Spelled text(String min, String max) {
    String low = isShort(min) ? min : isAscii(min) ? min.substring(0, MAX_TEXT_BYTES) : null;
    String high = isShort(max) ? max : isAscii(max) ? successor(max) : null;
    return low == null || high == null ? null : new Spelled(low, high);
  }

  private static boolean isShort(String text) {
    // a char takes three bytes at most, so most texts need no counting
    return text.length() * 3L <= MAX_TEXT_BYTES
        || text.getBytes(StandardCharsets.UTF_8).length <= MAX_TEXT_BYTES;
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }

  private static @Nullable String successor(String text) {
    char last = text.charAt(MAX_TEXT_BYTES - 1);
    return last < 0x7F ? text.substring(0, MAX_TEXT_BYTES - 1) + (char) (last + 1) : null;
  }

  static String date(long day) {
    if (day == Integer.MAX_VALUE) {
      return "infinity";
    }
    return day == -Integer.MAX_VALUE ? "-infinity" : finiteDate(day);
  }

  private static String finiteDate(long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    boolean beforeChrist = date.getYear() <= 0;
    return String.format(
        Locale.ROOT,
        "%04d-%02d-%02d%s",
        beforeChrist ? 1 - date.getYear() : date.getYear(),
        date.getMonthValue(),
        date.getDayOfMonth(),
        beforeChrist ? " (BC)" : "");
  }

  private static String time(long units, long unitsPerSecond) {
    long seconds = units / unitsPerSecond;
    String text =
        String.format(
            Locale.ROOT, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    return text + fraction(units % unitsPerSecond, unitsPerSecond);
  }

  private static String fraction(long units, long unitsPerSecond) {
    if (units == 0) {
      return "";
    }
    String digits = Long.toString(unitsPerSecond + units).substring(1);
    int end = digits.length();
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    return "." + digits.substring(0, end);
  }

  private static @Nullable String zoned(long micros) {
    String text = moment(micros, MICROS_PER_SECOND);
    return text == null || text.endsWith("infinity") ? text : text + "+00";
  }

  private static @Nullable String timestamp(long value, ColumnType from, Scalar column) {
    if (value == Long.MAX_VALUE || value == -Long.MAX_VALUE) {
      return moment(value, MICROS_PER_SECOND);
    }
    boolean nanos = from == Scalar.TIMESTAMP_NS;
    if (column == Scalar.TIMESTAMP_NS) {
      return nanos || fitsNanos(value)
          ? moment(nanos ? value : value * 1_000, NANOS_PER_SECOND)
          : null;
    }
    // DuckDB cuts nanoseconds off towards zero
    long micros = nanos ? value / 1_000 : value;
    if (column == Scalar.TIMESTAMP_MS) {
      return exactly(micros, 1_000);
    }
    return column == Scalar.TIMESTAMP_S
        ? exactly(micros, MICROS_PER_SECOND)
        : moment(micros, MICROS_PER_SECOND);
  }

  private static boolean fitsNanos(long micros) {
    return Math.abs(micros) < Long.MAX_VALUE / 1_000;
  }

  /** DuckDB rounds when it narrows to milliseconds or seconds: only whole ones are certain. */
  private static @Nullable String exactly(long micros, long microsPerUnit) {
    return micros % microsPerUnit == 0 ? moment(micros, MICROS_PER_SECOND) : null;
  }

  private static @Nullable String moment(long value, long unitsPerSecond) {
    if (value == Long.MAX_VALUE) {
      return "infinity";
    }
    if (value == -Long.MAX_VALUE) {
      return "-infinity";
    }
    if (value == Long.MIN_VALUE) {
      return null;
    }
    long unitsPerDay = SECONDS_PER_DAY * unitsPerSecond;
    return finiteDate(Math.floorDiv(value, unitsPerDay))
        + " "
        + time(Math.floorMod(value, unitsPerDay), unitsPerSecond);
  }

  /** Spells a parsed instant in UTC. */
  static @Nullable String instant(BoundValue value) {
    return value instanceof BoundValue.Temporal(long day, long nanosOfDay)
        ? finiteDate(day) + " " + time(nanosOfDay / 1_000, MICROS_PER_SECOND) + "+00"
        : null;
  }

  /** Whole numbers are spelled in full, so that they stay bounds when the column is widened. */
  static String float32(double value) {
    boolean whole = Math.rint(value) == value && Math.abs(value) < 1e16 && value != 0;
    return whole || !Double.isFinite(value)
        ? float64(value)
        : floating(Float.toString((float) value));
  }

  static String float64(double value) {
    return Double.isFinite(value) ? floating(Double.toString(value)) : special(value);
  }

  private static String special(double value) {
    return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  }

  /** Java's shortest digits in DuckDB's layout: plain from 1e-4 to 1e16, else with exponent. */
  private static String floating(String java) {
    BigDecimal number = new BigDecimal(java).stripTrailingZeros();
    if (number.signum() == 0) {
      return java.startsWith("-") ? "-0.0" : "0.0";
    }
    int exponent = number.precision() - number.scale() - 1;
    if (exponent >= -4 && exponent < 16) {
      String plain = number.toPlainString();
      return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }
    String digits = number.unscaledValue().abs().toString();
    return (number.signum() < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
  }
}
