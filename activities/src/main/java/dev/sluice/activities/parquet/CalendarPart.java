package dev.sluice.activities.parquet;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.BoundValue;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.PartitionTransform.Simple;
import java.time.LocalDate;
import java.util.Optional;

/**
 * The calendar part that a date or timestamp stands for (ducklake-format 10.2), in UTC where the
 * type has a zone.
 */
final class CalendarPart {

  private static final long NANOS_PER_HOUR = 3_600_000_000_000L;

  private CalendarPart() {}

  /** The part of one value; empty for infinities and texts that are no date or timestamp. */
  static Optional<String> ofText(Simple transform, String text, ColumnType type) {
    return ofRange(transform, text, text, type);
  }

  /**
   * The part that all values of a range share; empty when the range may hold different ones. Equal
   * months of two years do not count, since the months between have other numbers.
   */
  static Optional<String> ofRange(Simple transform, String min, String max, ColumnType type) {
    if (!(BoundText.parse(type, min).orElse(null) instanceof BoundValue.Temporal from)
        || !(BoundText.parse(type, max).orElse(null) instanceof BoundValue.Temporal to)
        || isInfinite(from)
        || isInfinite(to)) {
      return Optional.empty();
    }
    LocalDate first = LocalDate.ofEpochDay(from.day());
    LocalDate last = LocalDate.ofEpochDay(to.day());
    return switch (transform) {
      case IDENTITY -> Optional.empty();
      case YEAR -> same(first.getYear() == last.getYear(), first.getYear());
      case MONTH ->
          same(first.withDayOfMonth(1).equals(last.withDayOfMonth(1)), first.getMonthValue());
      case DAY -> same(first.equals(last), first.getDayOfMonth());
      case HOUR -> same(first.equals(last) && hour(from) == hour(to), hour(from));
    };
  }

  private static Optional<String> same(boolean isSame, long part) {
    return isSame ? Optional.of(Long.toString(part)) : Optional.empty();
  }

  private static long hour(BoundValue.Temporal value) {
    return value.nanosOfDay() / NANOS_PER_HOUR;
  }

  private static boolean isInfinite(BoundValue.Temporal value) {
    return value.day() == Long.MAX_VALUE || value.day() == Long.MIN_VALUE;
  }
}
