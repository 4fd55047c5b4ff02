package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * SQL for 64-bit digests of values: two values have the same one when they are the same, and
 * (almost surely) only then. Summed over rows they tell nothing of the rows' order.
 *
 * <p>DuckDB's own {@code hash} (seen with 1.5.5) does not tell -0.0 from 0.0, {@code []}, {@code
 * [NULL]} and NULL, {@code [[1],[2]]} and {@code [[1,2]]}, a NULL struct and a struct of NULLs, 30
 * days and 1 month, nor the halves of a 128-bit integer. So it is used on what it does tell apart,
 * and on text for the rest.
 */
final class ColumnDigest {

  /** Digits of a decimal that fit into 64 bits. */
  private static final int LONG_DIGITS = 18;

  private static final String NULL_DIGEST = "CAST(7046029254386353131 AS UBIGINT)";

  private int variables;

  /** The digest of a column's value; never NULL. */
  String of(Column column, String value) {
    return "CASE WHEN %s IS NULL THEN %s ELSE %s END"
        .formatted(
            value,
            NULL_DIGEST,
            column.type() instanceof Nested nested
                ? nested(nested, column, value)
                : scalar(column.type(), value));
  }

  private String nested(Nested nested, Column column, String value) {
    return switch (nested) {
      case STRUCT ->
          column.children().stream()
              .map(
                  child ->
                      of(
                          child,
                          "struct_extract(%s, %s)".formatted(value, Sql.literal(child.name()))))
              .collect(Collectors.joining(", ", "hash(", ")"));
      case LIST -> list(value, variable -> of(column.children().get(0), variable));
      case MAP ->
          list(
              "map_entries(" + value + ")",
              variable ->
                  "hash(%s, %s)"
                      .formatted(
                          of(column.children().get(0), variable + ".\"key\""),
                          of(column.children().get(1), variable + ".\"value\"")));
    };
  }

  /** As text, since DuckDB's hash of a list is the elements' alone when there is one or none. */
  private String list(String value, UnaryOperator<String> element) {
    String variable = "d" + variables++;
    return "hash('[' || array_to_string(list_transform(%s, lambda %s: %s), ',') || ']')"
        .formatted(value, variable, element.apply(variable));
  }

  private static String scalar(ColumnType type, String value) {
    return isTold(type) ? "hash(" + value + ")" : "hash(" + Sql.cast(value, "VARCHAR") + ")";
  }

  /** Whether DuckDB's hash tells all values of the type apart. */
  private static boolean isTold(ColumnType type) {
    return switch (type) {
      case Nested nested -> false;
      case Decimal decimal -> decimal.precision() <= LONG_DIGITS;
      case Scalar scalar ->
          switch (scalar) {
            case BOOLEAN,
                INT8,
                INT16,
                INT32,
                INT64,
                UINT8,
                UINT16,
                UINT32,
                UINT64,
                DATE,
                TIME,
                TIME_NS,
                TIMESTAMP,
                TIMESTAMP_US,
                TIMESTAMP_S,
                TIMESTAMP_MS,
                TIMESTAMP_NS,
                TIMESTAMPTZ,
                VARCHAR,
                BLOB ->
                true;
            case INT128,
                UINT128,
                FLOAT32,
                FLOAT64,
                TIMETZ,
                INTERVAL,
                JSON,
                UUID,
                GEOMETRY,
                VARIANT ->
                false;
          };
    };
  }
}
