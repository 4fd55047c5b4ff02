package dev.sluice.activities.lake;

import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.catalog.Column;

/**
 * What a column takes: values of its own type and of types whose values keep their meaning in it.
 * Text is parsed. Whether the single value fits, DuckDB's cast decides; it fails on what is out of
 * range. Inside nested values DuckDB's casts decide alone.
 */
final class Assignment {

  private Assignment() {}

  /** Kinds of values that do not turn into one another by themselves. */
  private enum Family {
    BOOLEAN,
    WHOLE,
    DECIMAL,
    FLOAT,
    TEXT,
    JSON,
    BLOB,
    UUID,
    DATE,
    TIME,
    TIMETZ,
    TIMESTAMP,
    TIMESTAMPTZ,
    INTERVAL,
    STRUCT,
    LIST,
    MAP,
    OTHER
  }

  /**
   * The SQL of a column's value.
   *
   * @param value SQL of the value that is given
   * @param type DuckDB's type of it
   * @throws WriteException if the column does not take the type
   */
  static String sql(String doing, Column column, String value, String type) {
    Family from = family(type);
    Family to = family(SqlType.of(column));
    String cast = Sql.cast(value, SqlType.of(column));
    if (from == Family.JSON && column.children().isEmpty() && to != Family.JSON) {
      return sql(doing, column, "(" + value + " ->> '$')", "VARCHAR");
    }
    if (from == Family.TEXT && to == Family.WHOLE) {
      return wholeFromText(column, value, cast);
    }
    if (from == to || from == Family.JSON || type.equals("\"NULL\"") || takes(to, from, type)) {
      return cast;
    }
    throw WriteErrors.wrongType(doing, column, type, remedy(column));
  }

  private static boolean takes(Family to, Family from, String type) {
    if (from == Family.TEXT) {
      return true;
    }
    return switch (to) {
      case WHOLE -> from == Family.DECIMAL && type.endsWith(",0)");
      case DECIMAL, FLOAT -> from == Family.WHOLE || from == Family.DECIMAL || from == Family.FLOAT;
      case TEXT ->
          switch (from) {
            case STRUCT, LIST, MAP, BLOB, OTHER -> false;
            default -> true;
          };
      case TIMESTAMP -> from == Family.DATE;
      case BOOLEAN,
          JSON,
          BLOB,
          UUID,
          DATE,
          TIME,
          TIMETZ,
          TIMESTAMPTZ,
          INTERVAL,
          STRUCT,
          LIST,
          MAP,
          OTHER ->
          false;
    };
  }

  /** DuckDB's own cast would round 1.5 to 2. */
  private static String wholeFromText(Column column, String value, String cast) {
    return "CASE WHEN %s IS NOT NULL AND NOT regexp_full_match(%s, '\\s*[+-]?[0-9]+\\s*') THEN error(%s || %s || %s) ELSE %s END"
        .formatted(
            value,
            value,
            Sql.literal("column " + column.name() + " takes whole numbers, not '"),
            value,
            Sql.literal("'"),
            cast);
  }

  private static String remedy(Column column) {
    return "convert it in the SELECT, as in CAST(… AS " + SqlType.of(column) + ")";
  }

  private static Family family(String type) {
    if (type.endsWith("]")) {
      return Family.LIST;
    }
    String word = type.split("[(]", 2)[0];
    return switch (word) {
      case "BOOLEAN" -> Family.BOOLEAN;
      case "TINYINT",
          "SMALLINT",
          "INTEGER",
          "BIGINT",
          "HUGEINT",
          "UTINYINT",
          "USMALLINT",
          "UINTEGER",
          "UBIGINT",
          "UHUGEINT",
          "BIGNUM" ->
          Family.WHOLE;
      case "DECIMAL" -> Family.DECIMAL;
      case "FLOAT", "DOUBLE" -> Family.FLOAT;
      case "VARCHAR", "ENUM" -> Family.TEXT;
      case "JSON" -> Family.JSON;
      case "BLOB" -> Family.BLOB;
      case "UUID" -> Family.UUID;
      case "DATE" -> Family.DATE;
      case "TIME", "TIME_NS" -> Family.TIME;
      case "TIMETZ", "TIME WITH TIME ZONE" -> Family.TIMETZ;
      case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS" -> Family.TIMESTAMP;
      case "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE" -> Family.TIMESTAMPTZ;
      case "INTERVAL" -> Family.INTERVAL;
      case "STRUCT" -> Family.STRUCT;
      case "MAP" -> Family.MAP;
      default -> Family.OTHER;
    };
  }
}
