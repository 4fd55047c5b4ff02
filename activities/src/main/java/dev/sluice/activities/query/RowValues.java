package dev.sluice.activities.query;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.sql.Array;
import java.sql.Blob;
import java.sql.SQLException;
import java.sql.Struct;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values of a query in the form that files are written from. Times travel as text: the driver would
 * take them through the machine's own time zone. Stateless.
 */
final class RowValues {

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .toFormatter(Locale.ROOT);

  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .append(TIME)
          .toFormatter(Locale.ROOT);

  /** The offset of a session in UTC. */
  private static final String UTC = "+00";

  private RowValues() {}

  /** What to select for a column of {@code t}. */
  static String select(Column column) {
    String name = "t." + ColumnNames.of(column);
    return isPlain(column) ? name : Sql.cast(name, carried(column));
  }

  /** Whether the driver's own value is exact. */
  private static boolean isPlain(Column column) {
    return column.type() instanceof Nested
        ? column.children().stream().allMatch(RowValues::isPlain)
        : !isTime(column.type());
  }

  private static boolean isTime(ColumnType type) {
    return type instanceof Scalar scalar
        && switch (scalar) {
          case DATE,
              TIME,
              TIME_NS,
              TIMETZ,
              TIMESTAMP,
              TIMESTAMP_S,
              TIMESTAMP_MS,
              TIMESTAMP_US,
              TIMESTAMP_NS,
              TIMESTAMPTZ ->
              true;
          case BOOLEAN,
              INT8,
              INT16,
              INT32,
              INT64,
              INT128,
              UINT8,
              UINT16,
              UINT32,
              UINT64,
              UINT128,
              FLOAT32,
              FLOAT64,
              INTERVAL,
              VARCHAR,
              JSON,
              BLOB,
              UUID,
              GEOMETRY,
              VARIANT ->
              false;
        };
  }

  /** The column's type with times as text. */
  private static String carried(Column column) {
    return switch (column.type()) {
      case Nested nested ->
          switch (nested) {
            case STRUCT ->
                column.children().stream()
                    .map(child -> Sql.identifier(child.name()) + " " + carried(child))
                    .collect(Collectors.joining(", ", "STRUCT(", ")"));
            case LIST -> carried(column.children().get(0)) + "[]";
            case MAP ->
                "MAP(%s, %s)"
                    .formatted(
                        carried(column.children().get(0)), carried(column.children().get(1)));
          };
      case Scalar scalar -> isTime(scalar) ? "VARCHAR" : SqlType.of(column);
      case Decimal decimal -> SqlType.of(column);
    };
  }

  /** The value of a column. */
  static @Nullable Object of(Column column, @Nullable Object value) throws SQLException {
    if (value == null) {
      return null;
    }
    return switch (column.type()) {
      case Nested nested ->
          switch (nested) {
            case STRUCT -> struct(column, ((Struct) value).getAttributes());
            case LIST -> list(column.children().get(0), (Object[]) ((Array) value).getArray());
            case MAP -> map(column, (Map<?, ?>) value);
          };
      case Scalar scalar -> scalar(scalar, value);
      case Decimal decimal -> value;
    };
  }

  private static Object scalar(Scalar type, Object value) throws SQLException {
    return switch (type) {
      case DATE -> LocalDate.parse((String) value);
      case TIME -> LocalTime.parse((String) value, TIME);
      case TIMESTAMP, TIMESTAMP_S, TIMESTAMP_MS, TIMESTAMP_US, TIMESTAMP_NS ->
          LocalDateTime.parse((String) value, TIMESTAMP);
      case TIMESTAMPTZ -> inUtc((String) value);
      case BLOB -> {
        Blob blob = (Blob) value;
        yield blob.getBytes(1, Math.toIntExact(blob.length()));
      }
      case BOOLEAN,
          INT8,
          INT16,
          INT32,
          INT64,
          INT128,
          UINT8,
          UINT16,
          UINT32,
          UINT64,
          UINT128,
          FLOAT32,
          FLOAT64,
          INTERVAL,
          TIME_NS,
          TIMETZ,
          VARCHAR,
          JSON,
          UUID,
          GEOMETRY,
          VARIANT ->
          value;
    };
  }

  private static OffsetDateTime inUtc(String text) {
    String local = text.endsWith(UTC) ? text.substring(0, text.length() - UTC.length()) : text;
    return LocalDateTime.parse(local, TIMESTAMP).atOffset(ZoneOffset.UTC);
  }

  private static List<@Nullable Object> struct(Column column, @Nullable Object[] fields)
      throws SQLException {
    List<@Nullable Object> values = new ArrayList<>(fields.length);
    for (int i = 0; i < fields.length; i++) {
      values.add(of(column.children().get(i), fields[i]));
    }
    return values;
  }

  private static List<@Nullable Object> list(Column element, @Nullable Object[] elements)
      throws SQLException {
    List<@Nullable Object> values = new ArrayList<>(elements.length);
    for (Object each : elements) {
      values.add(of(element, each));
    }
    return values;
  }

  private static Map<@Nullable Object, @Nullable Object> map(Column column, Map<?, ?> entries)
      throws SQLException {
    Map<@Nullable Object, @Nullable Object> values = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      values.put(
          of(column.children().get(0), entry.getKey()),
          of(column.children().get(1), entry.getValue()));
    }
    return values;
  }
}
