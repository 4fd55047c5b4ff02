package dev.sluice.catalog.read;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Nested;
import java.util.regex.Pattern;

/**
 * Repairs the text of inlined structs. DuckDB builds it from SQL literals, so that a field that is
 * a date, a timestamp or a UUID stands there as {@code CAST('…' AS …)}, which DuckDB itself cannot
 * read back (ducklake-format 9.2). The literal alone is what the cast to the struct's type needs.
 */
final class InlinedStructText {

  /** Quotes inside a user's string are doubled, so no string can look like this. */
  private static final Pattern CAST =
      Pattern.compile("CAST\\(('(?:[^']|'')*') AS [A-Za-z0-9_(), ]+?\\)");

  private InlinedStructText() {}

  static boolean isNeeded(Column column) {
    return column.type() == Nested.STRUCT
        || column.children().stream().anyMatch(InlinedStructText::isNeeded);
  }

  static String repaired(String text) {
    return CAST.matcher(text).replaceAll("$1");
  }
}
