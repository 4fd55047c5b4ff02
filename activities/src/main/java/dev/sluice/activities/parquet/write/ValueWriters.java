package dev.sluice.activities.parquet.write;

import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the values of one row into Parquet's record consumer. A value that its column cannot hold
 * exactly is refused, never rounded or wrapped.
 */
final class ValueWriters {

  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

  private final String file;
  private final RecordConsumer consumer;

  ValueWriters(String file, RecordConsumer consumer) {
    this.file = file;
    this.consumer = consumer;
  }

  /** Writes the fields of a row or struct; NULLs are left out. */
  void fields(List<Column> columns, List<? extends @Nullable Object> values) {
    for (int i = 0; i < columns.size(); i++) {
      Object value = values.get(i);
      if (value != null) {
        Column column = columns.get(i);
        consumer.startField(column.name(), i);
        value(column, value);
        consumer.endField(column.name(), i);
      }
    }
  }

  private void value(Column column, Object value) {
    try {
      switch (column.type()) {
        case Nested nested -> nested(column, nested, value);
        case Decimal decimal -> decimal(decimal, (BigDecimal) value);
        case Scalar scalar -> scalar(scalar, value);
      }
    } catch (ClassCastException | ArithmeticException | IllegalArgumentException e) {
      throw WriteErrors.wrongValue(file, column, value, e);
    }
  }

  private void nested(Column column, Nested type, Object value) {
    consumer.startGroup();
    switch (type) {
      case STRUCT -> struct(column, (List<?>) value);
      case LIST -> list(column.children().get(0), (List<?>) value);
      case MAP -> map(column, (Map<?, ?>) value);
    }
    consumer.endGroup();
  }

  private void struct(Column column, List<?> values) {
    if (values.size() != column.children().size()) {
      throw new IllegalArgumentException(
          "the struct has %d fields, the value %d"
              .formatted(column.children().size(), values.size()));
    }
    fields(column.children(), values);
  }

  private void list(Column element, List<?> values) {
    if (values.isEmpty()) {
      return;
    }
    consumer.startField("list", 0);
    for (Object value : values) {
      consumer.startGroup();
      fields(List.of(element), Arrays.asList(value));
      consumer.endGroup();
    }
    consumer.endField("list", 0);
  }

  private void map(Column column, Map<?, ?> values) {
    if (values.isEmpty()) {
      return;
    }
    consumer.startField("key_value", 0);
    for (Map.Entry<?, ?> entry : values.entrySet()) {
      if (entry.getKey() == null) {
        throw new IllegalArgumentException("a key of a map is never NULL");
      }
      consumer.startGroup();
      fields(column.children(), Arrays.asList(entry.getKey(), entry.getValue()));
      consumer.endGroup();
    }
    consumer.endField("key_value", 0);
  }

  private void decimal(Decimal type, BigDecimal value) {
    BigInteger unscaled = value.setScale(type.scale()).unscaledValue();
    if (unscaled.abs().compareTo(BigInteger.TEN.pow(type.precision())) >= 0) {
      throw new ArithmeticException(value.toPlainString() + " has too many digits");
    }
    if (type.precision() <= 9) {
      consumer.addInteger(unscaled.intValueExact());
    } else if (type.precision() <= 18) {
      consumer.addLong(unscaled.longValueExact());
    } else {
      consumer.addBinary(Binary.fromConstantByteArray(wide(unscaled)));
    }
  }

  /** Big-endian two's complement, filled up with the sign. */
  private static byte[] wide(BigInteger value) {
    byte[] shortest = value.toByteArray();
    byte[] bytes = new byte[MessageTypes.WIDE_BYTES];
    Arrays.fill(bytes, (byte) (value.signum() < 0 ? -1 : 0));
    System.arraycopy(shortest, 0, bytes, bytes.length - shortest.length, shortest.length);
    return bytes;
  }

  private void scalar(Scalar type, Object value) {
    switch (type) {
      case BOOLEAN -> consumer.addBoolean((Boolean) value);
      case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 -> integer(type, value);
      case FLOAT32 -> consumer.addFloat((Float) value);
      case FLOAT64 -> consumer.addDouble((Double) value);
      case DATE -> consumer.addInteger(Math.toIntExact(((LocalDate) value).toEpochDay()));
      case TIME -> consumer.addLong(exact(((LocalTime) value).toNanoOfDay(), 1_000));
      case TIMESTAMP, TIMESTAMP_US -> consumer.addLong(since((LocalDateTime) value, 1_000));
      case TIMESTAMP_S ->
          consumer.addLong(
              Math.multiplyExact(since((LocalDateTime) value, 1_000_000_000), 1_000_000L));
      case TIMESTAMP_MS -> consumer.addLong(since((LocalDateTime) value, 1_000_000));
      case TIMESTAMP_NS -> consumer.addLong(since((LocalDateTime) value, 1));
      case TIMESTAMPTZ -> consumer.addLong(since(local(value), 1_000));
      case VARCHAR, JSON -> consumer.addBinary(Binary.fromString((String) value));
      case BLOB -> consumer.addBinary(Binary.fromReusedByteArray((byte[]) value));
      case UUID -> consumer.addBinary(uuid((UUID) value));
      case INT128, UINT128, TIME_NS, TIMETZ, INTERVAL, GEOMETRY, VARIANT ->
          throw new IllegalArgumentException("the type is not written");
    }
  }

  private void integer(ColumnType type, Object value) {
    BigInteger number =
        value instanceof BigInteger big
            ? big
            : BigInteger.valueOf(((Number) wholeNumber(value)).longValue());
    IntegerRange range = IntegerRange.of(type);
    if (number.compareTo(range.min()) < 0 || number.compareTo(range.max()) > 0) {
      throw new ArithmeticException(number + " is out of range");
    }
    if (type == Scalar.INT64 || type == Scalar.UINT64) {
      consumer.addLong(number.longValue());
    } else {
      consumer.addInteger(number.intValue());
    }
  }

  private static Object wholeNumber(Object value) {
    if (value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long) {
      return value;
    }
    throw new ClassCastException("a whole number is needed");
  }

  private static LocalDateTime local(Object instant) {
    return LocalDateTime.ofInstant(
        instant instanceof OffsetDateTime zoned ? zoned.toInstant() : (Instant) instant,
        ZoneOffset.UTC);
  }

  /** Units since 1970, refused when the value is finer than the unit. */
  private static long since(LocalDateTime value, long nanosPerUnit) {
    long units =
        Math.multiplyExact(
            ChronoUnit.DAYS.between(EPOCH.toLocalDate(), value.toLocalDate()),
            86_400_000_000_000L / nanosPerUnit);
    return Math.addExact(units, exact(value.toLocalTime().toNanoOfDay(), nanosPerUnit));
  }

  private static long exact(long nanos, long nanosPerUnit) {
    if (nanos % nanosPerUnit != 0) {
      throw new ArithmeticException("the value is finer than the type");
    }
    return nanos / nanosPerUnit;
  }

  private static Binary uuid(UUID value) {
    return Binary.fromConstantByteArray(
        ByteBuffer.allocate(MessageTypes.WIDE_BYTES)
            .putLong(value.getMostSignificantBits())
            .putLong(value.getLeastSignificantBits())
            .array());
  }
}
