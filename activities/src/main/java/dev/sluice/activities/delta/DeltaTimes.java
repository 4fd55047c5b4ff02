package dev.sluice.activities.delta;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Dates and timestamps as logs write them, and as DuckDB spells them. All arithmetic is on calendar
 * fields and whole nanoseconds, so that instants before 1970 keep their fractions.
 */
final class DeltaTimes {

  private static final String DATE_PART = "([+-]?\\d{4,6})-(\\d{1,2})-(\\d{1,2})";
  private static final Pattern DATE = Pattern.compile(DATE_PART);
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          DATE_PART
              + "(?:[ T](\\d{1,2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,9}))?)?"
              + "(Z|[+-]\\d{2}(?::?\\d{2})?)?");

  private DeltaTimes() {}

  /**
   * A timestamp and how finely it was written.
   *
   * @param utc the instant's fields in UTC, or the fields as they are when the text has no zone
   * @param fractionDigits digits behind the second, 0 to 9
   */
  record Parsed(LocalDateTime utc, int fractionDigits) {}

  static Optional<LocalDate> date(String text) {
    Matcher match = DATE.matcher(text);
    return match.matches() ? day(match) : Optional.empty();
  }

  /** A timestamp; a text without zone is taken as UTC, as Delta Kernel takes it. */
  static Optional<Parsed> timestamp(String text) {
    Matcher match = TIMESTAMP.matcher(text);
    if (!match.matches()) {
      return Optional.empty();
    }
    String fraction = match.group(7) == null ? "" : match.group(7);
    try {
      return day(match)
          .map(
              day ->
                  day.atTime(number(match.group(4)), number(match.group(5)), number(match.group(6)))
                      .plusNanos(number(fraction + "0".repeat(9 - fraction.length()))))
          .map(local -> new Parsed(utc(local, match.group(8)), fraction.length()));
    } catch (DateTimeException impossibleTime) {
      return Optional.empty();
    }
  }

  private static Optional<LocalDate> day(Matcher match) {
    try {
      return Optional.of(
          LocalDate.of(
              Integer.parseInt(match.group(1), 10),
              Integer.parseInt(match.group(2), 10),
              Integer.parseInt(match.group(3), 10)));
    } catch (DateTimeException impossibleDay) {
      return Optional.empty();
    }
  }

  private static int number(@Nullable String digits) {
    return digits == null || digits.isEmpty() ? 0 : Integer.parseInt(digits, 10);
  }

  private static LocalDateTime utc(LocalDateTime local, @Nullable String zone) {
    return zone == null ? local : local.minusSeconds(ZoneOffset.of(zone).getTotalSeconds());
  }

  /** Spells a date: {@code 1969-12-31}, {@code 0045-03-15 (BC)}. */
  static String spelled(LocalDate date) {
    int year = date.getYear();
    String text =
        String.format(
            Locale.ROOT,
            "%04d-%02d-%02d",
            year > 0 ? year : 1 - year,
            date.getMonthValue(),
            date.getDayOfMonth());
    return year > 0 ? text : text + " (BC)";
  }

  /** Spells a timestamp to the microsecond; what is finer is cut off, towards the past. */
  static String spelled(LocalDateTime time) {
    LocalDateTime micros = time.truncatedTo(ChronoUnit.MICROS);
    String clock =
        String.format(
            Locale.ROOT,
            "%02d:%02d:%02d",
            micros.getHour(),
            micros.getMinute(),
            micros.getSecond());
    int fraction = micros.getNano() / 1_000;
    String day = spelled(micros.toLocalDate());
    String date = day.endsWith(")") ? day.substring(0, day.indexOf(' ')) : day;
    String era = day.endsWith(")") ? " (BC)" : "";
    return date
        + era
        + " "
        + clock
        + (fraction == 0 ? "" : String.format(Locale.ROOT, ".%06d", fraction));
  }
}
