package dev.sluice.activities.parquet;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Casts the text of a path to a column's type as DuckDB does when it reads the file, and spells the
 * result. Text that DuckDB may take but that is not plainly a value of the type, or whose meaning
 * hangs on a session's time zone, is not castable here: refusing it early costs less than a table
 * that some session cannot read.
 */
final class PathValue {

  private static final Pattern HEX = Pattern.compile("0[xX]([0-9a-fA-F]{1,32})");
  private static final Pattern BINARY = Pattern.compile("0[bB]([01]{1,128})");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d{1,40}(\\.\\d{0,40})?|\\.\\d{1,40})([eE][+-]?\\d{1,2})?");
  private static final Pattern DATE =
      Pattern.compile(
          "(\\d{4,7})-(\\d{1,2})-(\\d{1,2})( \\(BC\\))?"
              + "(?:[ T](\\d{1,2}:\\d{1,2}(?::\\d{1,2}(?:\\.\\d{1,9})?)?))?");
  private static final Pattern TIME =
      Pattern.compile("(\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{1,9}))?)?");
  private static final Pattern OFFSET = Pattern.compile("(Z|[+-]\\d{2}(?::?\\d{2})?)$");

  private PathValue() {}

  /** Returns the value in the type's spelling, or null when the text does not surely spell one. */
  static @Nullable String cast(String text, ColumnType type) {
    String spelled =
        switch (type) {
          case Nested nested -> null;
          case Decimal decimal -> decimal(text.strip(), decimal);
          case Scalar scalar -> scalar(text, scalar);
        };
    return spelled == null || isValue(type, spelled) ? spelled : null;
  }

  private static boolean isValue(ColumnType type, String spelled) {
    return BoundText.parse(type, spelled).isPresent() || spelled.equals("nan");
  }

  private static @Nullable String scalar(String text, Scalar type) {
    return switch (type) {
      case VARCHAR -> text.indexOf('\0') < 0 ? text : null;
      case BOOLEAN -> bool(text.strip());
      case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 -> integer(text.strip());
      case FLOAT32, FLOAT64 -> floating(text.strip(), type);
      case DATE -> date(text.strip());
      case TIME -> time(text.strip());
      case TIMESTAMP, TIMESTAMP_US -> timestamp(withoutUtc(text.strip()), 6, true);
      case TIMESTAMP_MS -> timestamp(withoutUtc(text.strip()), 3, false);
      case TIMESTAMP_S -> timestamp(withoutUtc(text.strip()), 0, false);
      case TIMESTAMP_NS -> timestamp(withoutUtc(text.strip()), 9, false);
      case TIMESTAMPTZ -> zoned(text.strip());
      case UUID -> text.strip().toLowerCase(Locale.ROOT);
      case INT128, UINT128, TIME_NS, TIMETZ, INTERVAL, JSON, BLOB, GEOMETRY, VARIANT -> null;
    };
  }

  private static @Nullable String bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "t", "1", "yes", "y" -> "true";
      case "false", "f", "0", "no", "n" -> "false";
      default -> null;
    };
  }

  /** Fractions are rounded half away from zero, as DuckDB does. */
  private static @Nullable String integer(String text) {
    Matcher hex = HEX.matcher(text);
    if (hex.matches()) {
      return new BigInteger(hex.group(1), 16).toString();
    }
    Matcher binary = BINARY.matcher(text);
    if (binary.matches()) {
      return new BigInteger(binary.group(1), 2).toString();
    }
    return NUMBER.matcher(text).matches()
        ? new BigDecimal(text).setScale(0, RoundingMode.HALF_UP).toPlainString()
        : null;
  }

  private static @Nullable String decimal(String text, Decimal type) {
    return NUMBER.matcher(text).matches()
        ? new BigDecimal(text).setScale(type.scale(), RoundingMode.HALF_UP).toPlainString()
        : null;
  }

  private static @Nullable String floating(String text, Scalar type) {
    String word = text.toLowerCase(Locale.ROOT);
    if (word.equals("nan") || word.equals("-nan")) {
      return "nan";
    }
    if (word.equals("inf") || word.equals("infinity")) {
      return "inf";
    }
    if (word.equals("-inf") || word.equals("-infinity")) {
      return "-inf";
    }
    if (!NUMBER.matcher(text).matches()) {
      return null;
    }
    return type == Scalar.FLOAT32
        ? Spelling.float32(Float.parseFloat(text))
        : Spelling.float64(Double.parseDouble(text));
  }

  private static @Nullable String date(String text) {
    if (isInfinite(text)) {
      return text.toLowerCase(Locale.ROOT);
    }
    Matcher match = DATE.matcher(text);
    return match.matches() ? day(match) : null;
  }

  private static boolean isInfinite(String text) {
    String word = text.toLowerCase(Locale.ROOT);
    return word.equals("infinity") || word.equals("-infinity");
  }

  private static @Nullable String day(Matcher match) {
    int year = Integer.parseInt(match.group(1), 10);
    try {
      return year == 0
          ? null
          : Spelling.date(
              LocalDate.of(
                      match.group(4) == null ? year : 1 - year,
                      Integer.parseInt(match.group(2), 10),
                      Integer.parseInt(match.group(3), 10))
                  .toEpochDay());
    } catch (DateTimeException impossibleDay) {
      return null;
    }
  }

  private static @Nullable String time(String text) {
    return timeOfDay(text, 6, false);
  }

  private static @Nullable String timeOfDay(String text, int digits, boolean cut) {
    Matcher match = TIME.matcher(text);
    if (!match.matches()) {
      return null;
    }
    String fraction = match.group(4) == null ? "" : match.group(4);
    if (fraction.length() > digits && cut) {
      fraction = fraction.substring(0, digits);
    }
    int end = fraction.length();
    while (end > 0 && fraction.charAt(end - 1) == '0') {
      end--;
    }
    return twoDigits(match.group(1))
        + ":"
        + twoDigits(match.group(2))
        + ":"
        + (match.group(3) == null ? "00" : twoDigits(match.group(3)))
        + (end == 0 ? "" : "." + fraction.substring(0, end));
  }

  private static String twoDigits(String number) {
    return number.length() == 1 ? "0" + number : number;
  }

  /** A zone of UTC changes nothing about the shown value; any other may or may not be applied. */
  private static String withoutUtc(String text) {
    return text.indexOf(':') > 0 && text.endsWith("Z")
        ? text.substring(0, text.length() - 1)
        : text;
  }

  private static @Nullable String timestamp(String text, int digits, boolean cut) {
    if (isInfinite(text)) {
      return text.toLowerCase(Locale.ROOT);
    }
    Matcher match = DATE.matcher(text);
    if (!match.matches()) {
      return null;
    }
    String day = day(match);
    String time = match.group(5) == null ? "00:00:00" : timeOfDay(match.group(5), digits, cut);
    return day == null || time == null ? null : day + " " + time;
  }

  private static @Nullable String zoned(String text) {
    if (isInfinite(text)) {
      return text.toLowerCase(Locale.ROOT);
    }
    Matcher offset = OFFSET.matcher(text);
    if (text.indexOf(':') < 0 || !offset.find()) {
      return null;
    }
    String local = timestamp(text.substring(0, offset.start()).strip(), 6, true);
    return local == null ? null : utc(local, offset.group(1));
  }

  private static @Nullable String utc(String local, String offset) {
    String text = local + (offset.equals("Z") ? "+00" : offset);
    return BoundText.parse(Scalar.TIMESTAMPTZ, text).stream()
        .map(value -> Spelling.instant(value))
        .findFirst()
        .orElse(null);
  }
}
