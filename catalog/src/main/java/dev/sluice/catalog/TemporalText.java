package dev.sluice.catalog;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * DuckDB's text of dates, times and timestamps: {@code 0045-03-15 (BC)}, years of five and more
 * digits, {@code infinity}, 24:00:00 and up to nine fraction digits.
 */
final class TemporalText {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long SECONDS_PER_DAY = 86_400L;
  private static final long NANOS_PER_DAY = SECONDS_PER_DAY * NANOS_PER_SECOND;

  private static final String DATE_PART = "(\\d{4,7})-(\\d{2})-(\\d{2})( \\(BC\\))?";
  private static final String TIME_PART = "(\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,9}))?";
  private static final String OFFSET_PART = "([+-])(\\d{2})(?::?(\\d{2}))?(?::?(\\d{2}))?";
  private static final Pattern DATE = Pattern.compile(DATE_PART);
  private static final Pattern TIME = Pattern.compile(TIME_PART);
  private static final Pattern TIMESTAMP =
      Pattern.compile(DATE_PART + "(?:[ T]" + TIME_PART + ")?");
  private static final Pattern WITH_OFFSET =
      Pattern.compile(DATE_PART + "[ T]" + TIME_PART + OFFSET_PART);

  private TemporalText() {}

  static Optional<BoundValue> date(String text) {
    return infinity(text)
        .or(
            () -> {
              Matcher match = DATE.matcher(text);
              return match.matches()
                  ? value(day(match), OptionalLong.of(0)).map(BoundValue.class::cast)
                  : Optional.empty();
            });
  }

  /** A time of day; more fraction digits than the type holds are unknown. */
  static Optional<BoundValue> time(String text, int fractionDigits) {
    Matcher match = TIME.matcher(text);
    return match.matches()
        ? value(OptionalLong.of(0), nanosOfDay(match, 1, fractionDigits))
            .map(BoundValue.class::cast)
        : Optional.empty();
  }

  static Optional<BoundValue> timestamp(String text, int fractionDigits) {
    return infinity(text)
        .or(
            () -> {
              Matcher match = TIMESTAMP.matcher(text);
              if (!match.matches()) {
                return Optional.empty();
              }
              OptionalLong nanos =
                  match.group(5) == null
                      ? OptionalLong.of(0)
                      : nanosOfDay(match, 5, fractionDigits);
              return value(day(match), nanos).map(TemporalText::rolledOver);
            });
  }

  /** An instant; without an offset its meaning would hang on a session's time zone: unknown. */
  static Optional<BoundValue> timestampWithOffset(String text) {
    return infinity(text)
        .or(
            () -> {
              Matcher match = WITH_OFFSET.matcher(text);
              if (!match.matches()) {
                return Optional.empty();
              }
              OptionalLong day = day(match);
              OptionalLong nanos = nanosOfDay(match, 5, 6);
              if (day.isEmpty() || nanos.isEmpty()) {
                return Optional.empty();
              }
              long shifted = nanos.getAsLong() - offsetSeconds(match) * NANOS_PER_SECOND;
              return Optional.of(
                  new BoundValue.Temporal(
                      day.getAsLong() + Math.floorDiv(shifted, NANOS_PER_DAY),
                      Math.floorMod(shifted, NANOS_PER_DAY)));
            });
  }

  private static Optional<BoundValue> infinity(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "infinity" -> Optional.of(BoundValue.Temporal.INFINITY);
      case "-infinity" -> Optional.of(BoundValue.Temporal.NEGATIVE_INFINITY);
      default -> Optional.empty();
    };
  }

  private static Optional<BoundValue.Temporal> value(OptionalLong day, OptionalLong nanos) {
    return day.isPresent() && nanos.isPresent()
        ? Optional.of(new BoundValue.Temporal(day.getAsLong(), nanos.getAsLong()))
        : Optional.empty();
  }

  /** 24:00:00 of a day is the next day's midnight. */
  private static BoundValue.Temporal rolledOver(BoundValue.Temporal value) {
    return value.nanosOfDay() == NANOS_PER_DAY
        ? new BoundValue.Temporal(value.day() + 1, 0)
        : value;
  }

  private static OptionalLong day(Matcher match) {
    int year = Integer.parseInt(match.group(1), 10);
    // 1 BC is year 0 of the proleptic calendar; a year 0 is never written
    int proleptic = match.group(4) == null ? year : 1 - year;
    try {
      return year == 0
          ? OptionalLong.empty()
          : OptionalLong.of(
              LocalDate.of(
                      proleptic,
                      Integer.parseInt(match.group(2), 10),
                      Integer.parseInt(match.group(3), 10))
                  .toEpochDay());
    } catch (DateTimeException impossibleDay) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong nanosOfDay(Matcher match, int first, int fractionDigits) {
    long hour = Long.parseLong(match.group(first), 10);
    long minute = Long.parseLong(match.group(first + 1), 10);
    long second = Long.parseLong(match.group(first + 2), 10);
    String fraction = match.group(first + 3) == null ? "" : match.group(first + 3);
    if (minute > 59 || second > 59 || significantDigits(fraction) > fractionDigits) {
      return OptionalLong.empty();
    }
    long nanos =
        ((hour * 60 + minute) * 60 + second) * NANOS_PER_SECOND
            + (fraction.isEmpty()
                ? 0
                : Long.parseLong(fraction + "0".repeat(9 - fraction.length()), 10));
    return nanos <= NANOS_PER_DAY ? OptionalLong.of(nanos) : OptionalLong.empty();
  }

  private static int significantDigits(String fraction) {
    int end = fraction.length();
    while (end > 0 && fraction.charAt(end - 1) == '0') {
      end--;
    }
    return end;
  }

  private static long offsetSeconds(Matcher match) {
    long seconds =
        Long.parseLong(match.group(10), 10) * 3600 + part(match, 11) * 60 + part(match, 12);
    return match.group(9).equals("-") ? -seconds : seconds;
  }

  private static long part(Matcher match, int group) {
    return match.group(group) == null ? 0 : Long.parseLong(match.group(group), 10);
  }
}
