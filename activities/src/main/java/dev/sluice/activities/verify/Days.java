package dev.sluice.activities.verify;

import dev.sluice.activities.query.TableFacts;
import dev.sluice.catalog.ColumnType;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the day out of the text of a date or timestamp, as DuckDB casts it to a date. */
final class Days {

  private static final Pattern DAY = Pattern.compile("[^ ]+( \\(BC\\))?");

  private Days() {}

  /** The day of a date or timestamp; any other text as it is. */
  static String dayOf(ColumnType type, String text) {
    Matcher day = DAY.matcher(text);
    return TableFacts.isGroupedByDay(type) && day.lookingAt() ? day.group() : text;
  }
}
