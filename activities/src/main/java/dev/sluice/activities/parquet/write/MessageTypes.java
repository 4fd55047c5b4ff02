package dev.sluice.activities.parquet.write;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * The Parquet schema of a table, as DuckDB writes it (ducklake-format 5.1): every named node
 * carries its column id, everything but map keys is optional, even where the table forbids NULL.
 */
final class MessageTypes {

  private static final String ROOT = "sluice_schema";
  private static final int INT_DECIMAL_DIGITS = 9;
  private static final int LONG_DECIMAL_DIGITS = 18;

  /** Bytes of a wide decimal and of a UUID. */
  static final int WIDE_BYTES = 16;

  private final String file;

  private MessageTypes(String file) {
    this.file = file;
  }

  static MessageType of(String file, List<Column> columns) {
    MessageTypes types = new MessageTypes(file);
    return new MessageType(
        ROOT, columns.stream().map(column -> types.type(column, Repetition.OPTIONAL)).toList());
  }

  private Type type(Column column, Repetition repetition) {
    Type type =
        column.type() instanceof Nested nested
            ? group(column, nested, repetition)
            : primitive(column, repetition);
    return type.withId(Math.toIntExact(column.id()));
  }

  private Type group(Column column, Nested nested, Repetition repetition) {
    return switch (nested) {
      case STRUCT -> new GroupType(repetition, column.name(), optional(column.children()));
      case LIST ->
          Types.buildGroup(repetition)
              .addField(
                  new GroupType(
                      Repetition.REPEATED,
                      "list",
                      type(column.children().get(0), Repetition.OPTIONAL)))
              .as(LogicalTypeAnnotation.listType())
              .named(column.name());
      case MAP ->
          Types.buildGroup(repetition)
              .addField(
                  new GroupType(
                      Repetition.REPEATED,
                      "key_value",
                      type(column.children().get(0), Repetition.REQUIRED),
                      type(column.children().get(1), Repetition.OPTIONAL)))
              .as(LogicalTypeAnnotation.mapType())
              .named(column.name());
    };
  }

  private List<Type> optional(List<Column> columns) {
    return columns.stream().map(column -> type(column, Repetition.OPTIONAL)).toList();
  }

  private Type primitive(Column column, Repetition repetition) {
    return switch (column.type()) {
      case Decimal decimal -> decimal(column, decimal, repetition);
      case Nested nested -> group(column, nested, repetition);
      case Scalar scalar -> scalar(column, scalar, repetition);
    };
  }

  private static Type decimal(Column column, Decimal type, Repetition repetition) {
    LogicalTypeAnnotation annotation =
        LogicalTypeAnnotation.decimalType(type.scale(), type.precision());
    if (type.precision() <= LONG_DECIMAL_DIGITS) {
      return annotated(
          column,
          type.precision() <= INT_DECIMAL_DIGITS
              ? PrimitiveTypeName.INT32
              : PrimitiveTypeName.INT64,
          repetition,
          annotation);
    }
    return wide(column, repetition, annotation);
  }

  private Type scalar(Column column, Scalar type, Repetition repetition) {
    return switch (type) {
      case BOOLEAN -> plain(column, PrimitiveTypeName.BOOLEAN, repetition);
      case INT8 -> integer(column, 8, Sign.SIGNED, repetition);
      case INT16 -> integer(column, 16, Sign.SIGNED, repetition);
      case INT32 -> integer(column, 32, Sign.SIGNED, repetition);
      case INT64 -> integer(column, 64, Sign.SIGNED, repetition);
      case UINT8 -> integer(column, 8, Sign.UNSIGNED, repetition);
      case UINT16 -> integer(column, 16, Sign.UNSIGNED, repetition);
      case UINT32 -> integer(column, 32, Sign.UNSIGNED, repetition);
      case UINT64 -> integer(column, 64, Sign.UNSIGNED, repetition);
      case FLOAT32 -> plain(column, PrimitiveTypeName.FLOAT, repetition);
      case FLOAT64 -> plain(column, PrimitiveTypeName.DOUBLE, repetition);
      case DATE ->
          annotated(column, PrimitiveTypeName.INT32, repetition, LogicalTypeAnnotation.dateType());
      case TIME ->
          annotated(
              column,
              PrimitiveTypeName.INT64,
              repetition,
              LogicalTypeAnnotation.timeType(false, TimeUnit.MICROS));
      case TIMESTAMP, TIMESTAMP_US, TIMESTAMP_S ->
          timestamp(column, false, TimeUnit.MICROS, repetition);
      case TIMESTAMP_MS -> timestamp(column, false, TimeUnit.MILLIS, repetition);
      case TIMESTAMP_NS -> timestamp(column, false, TimeUnit.NANOS, repetition);
      case TIMESTAMPTZ -> timestamp(column, true, TimeUnit.MICROS, repetition);
      case VARCHAR ->
          annotated(
              column, PrimitiveTypeName.BINARY, repetition, LogicalTypeAnnotation.stringType());
      case JSON ->
          annotated(column, PrimitiveTypeName.BINARY, repetition, LogicalTypeAnnotation.jsonType());
      case BLOB -> plain(column, PrimitiveTypeName.BINARY, repetition);
      case UUID -> wide(column, repetition, LogicalTypeAnnotation.uuidType());
      case INT128, UINT128, TIME_NS, TIMETZ, INTERVAL, GEOMETRY, VARIANT ->
          throw WriteErrors.unsupportedType(file, column);
    };
  }

  private static Type plain(Column column, PrimitiveTypeName name, Repetition repetition) {
    return Types.primitive(name, repetition).named(column.name());
  }

  private static Type annotated(
      Column column,
      PrimitiveTypeName name,
      Repetition repetition,
      LogicalTypeAnnotation annotation) {
    return Types.primitive(name, repetition).as(annotation).named(column.name());
  }

  private static Type wide(Column column, Repetition repetition, LogicalTypeAnnotation annotation) {
    return Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
        .length(WIDE_BYTES)
        .as(annotation)
        .named(column.name());
  }

  private static Type integer(Column column, int bits, Sign sign, Repetition repetition) {
    return annotated(
        column,
        bits == Long.SIZE ? PrimitiveTypeName.INT64 : PrimitiveTypeName.INT32,
        repetition,
        LogicalTypeAnnotation.intType(bits, sign == Sign.SIGNED));
  }

  private static Type timestamp(
      Column column, boolean adjusted, TimeUnit unit, Repetition repetition) {
    return annotated(
        column,
        PrimitiveTypeName.INT64,
        repetition,
        LogicalTypeAnnotation.timestampType(adjusted, unit));
  }

  private enum Sign {
    SIGNED,
    UNSIGNED
  }
}
