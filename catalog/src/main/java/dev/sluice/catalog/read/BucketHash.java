package dev.sluice.catalog.read;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.BoundValue;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * DuckLake's bucket transform: Murmur3 (x86, 32 bit, seed 0) over bytes that hang on the column's
 * type (ducklake-format 10.2). Not Iceberg's: unsigned and wide integers, UUIDs and large decimals
 * hash by their text, timestamps by their raw unit.
 */
public final class BucketHash {

  private static final int FIRST_MIX = 0xcc9e2d51;
  private static final int SECOND_MIX = 0x1b873593;
  private static final long NANOS_PER_DAY = 86_400_000_000_000L;
  private static final int LONG_DECIMAL_DIGITS = 18;

  private BucketHash() {}

  /**
   * The bucket of a value.
   *
   * @param type the column's type
   * @param text DuckDB's text of the value, in any spelling that the type accepts
   * @param buckets number of buckets, at least 1
   * @return empty when the text does not parse or the type's bytes cannot be had from text
   */
  public static OptionalInt bucket(ColumnType type, String text, int buckets) {
    Optional<byte[]> bytes =
        type == Scalar.VARCHAR || type == Scalar.JSON
            ? Optional.of(utf8(text))
            : BoundText.parse(type, text).flatMap(value -> bytes(type, value));
    return bytes.map(found -> OptionalInt.of(bucket(found, buckets))).orElse(OptionalInt.empty());
  }

  /** The bucket of a blob. */
  public static int bucket(byte[] blob, int buckets) {
    return (murmur3(blob) & Integer.MAX_VALUE) % buckets;
  }

  private static Optional<byte[]> bytes(ColumnType type, BoundValue value) {
    return switch (type) {
      case Decimal decimal -> Optional.of(decimal(decimal, (BoundValue.Exact) value));
      case Nested nested -> Optional.empty();
      case Scalar scalar ->
          switch (scalar) {
            case BOOLEAN, INT8, INT16, INT32, INT64 ->
                Optional.of(eight(((BoundValue.Exact) value).number().longValueExact()));
            case INT128, UINT8, UINT16, UINT32, UINT64, UINT128 ->
                Optional.of(utf8(((BoundValue.Exact) value).number().toPlainString()));
            case FLOAT32, FLOAT64 ->
                Optional.of(eight(Double.doubleToLongBits(((BoundValue.Floating) value).number())));
            case DATE -> finite(value).map(date -> eight(date.day()));
            case TIME, TIMESTAMP, TIMESTAMP_US -> raw(value, 1_000L);
            case TIME_NS, TIMESTAMP_NS -> raw(value, 1L);
            case TIMESTAMP_MS -> raw(value, 1_000_000L);
            case TIMESTAMP_S -> raw(value, 1_000_000_000L);
            case TIMESTAMPTZ -> raw(value, 1_000L);
            case UUID -> Optional.of(utf8(((BoundValue.Text) value).text()));
            case VARCHAR, JSON -> Optional.of(utf8(((BoundValue.Text) value).text()));
            case TIMETZ, INTERVAL, BLOB, GEOMETRY, VARIANT -> Optional.empty();
          };
    };
  }

  private static byte[] decimal(Decimal type, BoundValue.Exact value) {
    BigInteger unscaled = value.number().setScale(type.scale()).unscaledValue();
    return type.precision() <= LONG_DECIMAL_DIGITS
        ? eight(unscaled.longValueExact())
        : utf8(value.number().setScale(type.scale()).toPlainString());
  }

  /** The count of units since the epoch; empty beyond what the type's 64 bits hold. */
  private static Optional<byte[]> raw(BoundValue value, long nanosPerUnit) {
    long unitsPerDay = NANOS_PER_DAY / nanosPerUnit;
    return finite(value)
        .filter(time -> Math.abs(time.day()) < Long.MAX_VALUE / unitsPerDay)
        .map(time -> eight(time.day() * unitsPerDay + time.nanosOfDay() / nanosPerUnit));
  }

  private static Optional<BoundValue.Temporal> finite(BoundValue value) {
    BoundValue.Temporal temporal = (BoundValue.Temporal) value;
    return temporal.day() == Long.MAX_VALUE || temporal.day() == Long.MIN_VALUE
        ? Optional.empty()
        : Optional.of(temporal);
  }

  private static byte[] eight(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static int murmur3(byte[] bytes) {
    int hash = 0;
    ByteBuffer blocks = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (blocks.remaining() >= Integer.BYTES) {
      hash = Integer.rotateLeft(hash ^ mixed(blocks.getInt()), 13) * 5 + 0xe6546b64;
    }
    int tail = 0;
    for (int shift = 0; blocks.hasRemaining(); shift += Byte.SIZE) {
      tail |= (blocks.get() & 0xff) << shift;
    }
    hash ^= mixed(tail);
    hash ^= bytes.length;
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }

  private static int mixed(int block) {
    return Integer.rotateLeft(block * FIRST_MIX, 15) * SECOND_MIX;
  }
}
