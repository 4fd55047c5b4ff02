package dev.sluice.activities.lake;

import dev.sluice.activities.query.QueryException;
import dev.sluice.activities.query.Sql;
import dev.sluice.activities.query.SqlType;
import dev.sluice.activities.query.SqlTypeReader;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType.Nested;
import java.util.Optional;

/**
 * What a column takes: values of its own type and of types whose values keep their meaning in it.
 * Text is parsed. Whether the single value fits, DuckDB's cast decides; it fails on what is out of
 * range. Inside nested values DuckDB's casts decide, but that numbers are not rounded to whole ones
 * and no field of a struct is left out.
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
    if (from == Family.TEXT && to == Family.FLOAT) {
      return finiteFromText(column, value, cast);
    }
    if (!column.children().isEmpty()
        && (from == to || from == Family.JSON || from == Family.TEXT)
        && !type.equals(SqlType.of(column))) {
      requireAllFields(doing, column, type);
      return NestedValues.whole(column, value);
    }
    if (from == to || from == Family.JSON || type.equals("\"NULL\"") || takes(to, from, type)) {
      return cast;
    }
    throw WriteErrors.wrongType(doing, column, type, remedy(column));
  }

  /** Refuses what a cast would leave out: fields of structs that the column's have not. */
  private static void requireAllFields(String doing, Column column, String type) {
    try {
      if (!hasAllFields(column, SqlTypeReader.column(column.name(), type))) {
        throw WriteErrors.wrongType(doing, column, type, remedy(column));
      }
    } catch (QueryException noTypeOfAColumn) {
      // such as that of an untyped NULL inside: the cast has to decide
      return;
    }
  }

  private static boolean hasAllFields(Column column, ColumnSpec given) {
    boolean struct = given.type() == Nested.STRUCT && column.type() == Nested.STRUCT;
    return given.children().stream()
        .allMatch(
            child -> {
              Optional<Column> own =
                  column.children().stream()
                      .filter(each -> each.name().equalsIgnoreCase(child.name()))
                      .findFirst();
              return own.map(each -> hasAllFields(each, child)).orElse(!struct);
            });
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
    return unless(
        "%s IS NOT NULL AND NOT regexp_full_match(%s, '\\s*[+-]?[0-9]+\\s*')"
            .formatted(value, value),
        "column " + column.name() + " takes whole numbers, not",
        value,
        cast);
  }

  /** DuckDB's own cast would make 1e999 infinite. */
  private static String finiteFromText(Column column, String value, String cast) {
    return unless(
        "isinf(%s) AND NOT regexp_matches(%s, 'inf', 'i')".formatted(cast, value),
        "column " + column.name() + " has no number so far from zero as",
        value,
        cast);
  }

  /** The cast, failing with these words and the text where the condition holds. */
  private static String unless(String condition, String words, String text, String cast) {
    return "CASE WHEN %s THEN error(%s || %s || %s) ELSE %s END"
        .formatted(condition, Sql.literal(words + " '"), text, Sql.literal("'"), cast);
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
