package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.stream.Collectors;

/** DuckDB's names of DuckLake's types. */
public final class SqlType {

  private SqlType() {}

  /** The type of a column, children included. */
  public static String of(Column column) {
    return column.type() instanceof Nested nested
        ? switch (nested) {
          case LIST -> of(column.children().get(0)) + "[]";
          case MAP ->
              "MAP(" + of(column.children().get(0)) + ", " + of(column.children().get(1)) + ")";
          case STRUCT ->
              column.children().stream()
                  .map(field -> Sql.identifier(field.name()) + " " + of(field))
                  .collect(Collectors.joining(", ", "STRUCT(", ")"));
        }
        : scalar(column.type());
  }

  /** The name of a type without children. */
  static String scalar(ColumnType type) {
    return switch (type) {
      case Decimal decimal -> "DECIMAL(%d, %d)".formatted(decimal.precision(), decimal.scale());
      case Nested nested ->
          throw new IllegalArgumentException(nested.text() + " needs its children");
      case Scalar scalar ->
          switch (scalar) {
            case BOOLEAN -> "BOOLEAN";
            case INT8 -> "TINYINT";
            case INT16 -> "SMALLINT";
            case INT32 -> "INTEGER";
            case INT64 -> "BIGINT";
            case INT128 -> "HUGEINT";
            case UINT8 -> "UTINYINT";
            case UINT16 -> "USMALLINT";
            case UINT32 -> "UINTEGER";
            case UINT64 -> "UBIGINT";
            case UINT128 -> "UHUGEINT";
            case FLOAT32 -> "FLOAT";
            case FLOAT64 -> "DOUBLE";
            case DATE -> "DATE";
            case TIME -> "TIME";
            case TIME_NS -> "TIME_NS";
            case TIMETZ -> "TIMETZ";
            case TIMESTAMP, TIMESTAMP_US -> "TIMESTAMP";
            case TIMESTAMP_S -> "TIMESTAMP_S";
            case TIMESTAMP_MS -> "TIMESTAMP_MS";
            case TIMESTAMP_NS -> "TIMESTAMP_NS";
            case TIMESTAMPTZ -> "TIMESTAMPTZ";
            case INTERVAL -> "INTERVAL";
            case VARCHAR -> "VARCHAR";
            case JSON -> "JSON";
            case BLOB -> "BLOB";
            case UUID -> "UUID";
            case GEOMETRY -> "GEOMETRY";
            case VARIANT -> "VARIANT";
          };
    };
  }
}
