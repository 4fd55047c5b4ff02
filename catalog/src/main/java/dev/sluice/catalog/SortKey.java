package dev.sluice.catalog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One key of a table's sort order (ducklake-format 4.8). The order says how new files are written
 * and merged; it promises nothing to readers.
 *
 * @param expression what is sorted by, as SQL text in DuckDB's dialect; mostly a quoted column name
 * @param direction which way
 * @param nulls where NULL goes
 */
public record SortKey(String expression, Direction direction, NullOrder nulls) {

  /** Which way; named as the catalog spells it. */
  public enum Direction {
    ASC,
    DESC
  }

  /** Where NULL goes; named as the catalog spells it. */
  public enum NullOrder {
    NULLS_FIRST,
    NULLS_LAST
  }

  /** A column's values from the least on, NULL last, as DuckDB sorts when nothing else is said. */
  public static SortKey ascending(String column) {
    return new SortKey(quoted(column), Direction.ASC, NullOrder.NULLS_LAST);
  }

  /** A column's values from the greatest on, NULL last. */
  public static SortKey descending(String column) {
    return new SortKey(quoted(column), Direction.DESC, NullOrder.NULLS_LAST);
  }

  /**
   * Reads the catalog's spelling. Readers need not know every word: one that is unknown or missing
   * counts as what DuckDB does without it.
   */
  public static SortKey parse(
      String expression, @Nullable String direction, @Nullable String nullOrder) {
    return new SortKey(
        expression,
        upper(direction).equals("DESC") ? Direction.DESC : Direction.ASC,
        upper(nullOrder).equals("NULLS_FIRST") ? NullOrder.NULLS_FIRST : NullOrder.NULLS_LAST);
  }

  /** The key as a part of {@code ORDER BY}. */
  public String sql() {
    return "%s %s %s".formatted(expression, direction, nulls.name().replace('_', ' '));
  }

  /** Whether the key is that column and nothing computed from it. */
  public boolean isColumn(String column) {
    return expression.equalsIgnoreCase(quoted(column)) || expression.equalsIgnoreCase(column);
  }

  /** The same key on another column. */
  public SortKey on(String column) {
    return new SortKey(quoted(column), direction, nulls);
  }

  private static String quoted(String column) {
    return "\"" + column.replace("\"", "\"\"") + "\"";
  }

  private static String upper(@Nullable String text) {
    return text == null ? "" : text.toUpperCase(Locale.ROOT);
  }
}
