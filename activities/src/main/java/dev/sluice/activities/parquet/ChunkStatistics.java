package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileType.Storage;
import dev.sluice.activities.parquet.FileType.Supported;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.parquet.format.Statistics;
import org.jspecify.annotations.Nullable;

/** Decodes the bounds of one column chunk. Whatever cannot be trusted is unknown: null. */
final class ChunkStatistics {

  private static final long MICROS_PER_MILLI = 1_000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  private ChunkStatistics() {}

  /**
   * The bounds of a chunk.
   *
   * @param type the leaf's type, which gives the unit of times and the scale of decimals
   * @param ordered whether the footer says that {@code min_value} and {@code max_value} follow the
   *     type's own order
   */
  static Bound.@Nullable Range range(Supported type, Statistics statistics, boolean ordered) {
    Storage storage = type.storage();
    boolean signSafe = isSignSafe(storage);
    ByteBuffer min = null;
    ByteBuffer max = null;
    if (statistics.isSetMin_value() && statistics.isSetMax_value() && (ordered || signSafe)) {
      min = statistics.bufferForMin_value();
      max = statistics.bufferForMax_value();
    } else if (statistics.isSetMin() && statistics.isSetMax() && signSafe) {
      // the old pair was compared as signed bytes, which is wrong for text and unsigned numbers
      min = statistics.bufferForMin();
      max = statistics.bufferForMax();
    }
    if (min == null || max == null) {
      return null;
    }
    Bound low = decode(type, min);
    Bound high = decode(type, max);
    if (low == null || high == null) {
      return null;
    }
    Bound.Range range = widenedAtZero(low, high);
    return range.min().compareTo(range.max()) <= 0 ? range : null;
  }

  /** Types whose old-style bounds were computed in the order that is valid today. */
  private static boolean isSignSafe(Storage storage) {
    return switch (storage) {
      case BOOLEAN,
          SIGNED_32,
          SIGNED_64,
          FLOAT,
          DOUBLE,
          DECIMAL_32,
          DECIMAL_64,
          DAYS,
          MILLIS,
          MICROS,
          NANOS ->
          true;
      case GROUP, UNSIGNED_32, UNSIGNED_64, DECIMAL_BYTES, TEXT, UUID, ALL_NULL, OPAQUE -> false;
    };
  }

  /** Writers disagree on the sign of a zero bound, and both zeros are equal in SQL. */
  private static Bound.Range widenedAtZero(Bound min, Bound max) {
    Bound low = min instanceof Bound.Real(double value) && value == 0 ? new Bound.Real(-0.0) : min;
    Bound high = max instanceof Bound.Real(double value) && value == 0 ? new Bound.Real(0.0) : max;
    return new Bound.Range(low, high);
  }

  private static @Nullable Bound decode(Supported type, ByteBuffer bytes) {
    int scale = type.type() instanceof Decimal decimal ? decimal.scale() : 0;
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    int length = in.remaining();
    return switch (type.storage()) {
      case BOOLEAN -> length == 1 ? new Bound.Whole(in.get(0) == 0 ? 0 : 1) : null;
      case SIGNED_32, DAYS -> length == 4 ? new Bound.Whole(in.getInt(0)) : null;
      case SIGNED_64, MICROS -> length == 8 ? new Bound.Whole(in.getLong(0)) : null;
      case NANOS -> length == 8 ? nanos(type.type(), in.getLong(0)) : null;
      case MILLIS ->
          length == 8 ? millis(in.getLong(0)) : length == 4 ? millis(in.getInt(0)) : null;
      case UNSIGNED_32 -> length == 4 ? new Bound.Whole(in.getInt(0) & 0xFFFF_FFFFL) : null;
      case UNSIGNED_64 -> length == 8 ? unsigned(in.getLong(0)) : null;
      case FLOAT -> length == 4 ? real(in.getFloat(0)) : null;
      case DOUBLE -> length == 8 ? real(in.getDouble(0)) : null;
      case DECIMAL_32 ->
          length == 4 ? new Bound.Numeric(BigDecimal.valueOf(in.getInt(0), scale)) : null;
      case DECIMAL_64 ->
          length == 8 ? new Bound.Numeric(BigDecimal.valueOf(in.getLong(0), scale)) : null;
      case DECIMAL_BYTES ->
          length > 0 ? new Bound.Numeric(new BigDecimal(new BigInteger(array(in)), scale)) : null;
      case TEXT -> text(in);
      case UUID -> length == 16 ? uuid(in) : null;
      case GROUP, ALL_NULL, OPAQUE -> null;
    };
  }

  /** Milliseconds as the microseconds that DuckDB makes of them. */
  private static @Nullable Bound millis(long value) {
    if (isInfinite(value)) {
      return new Bound.Whole(value);
    }
    long micros = value * MICROS_PER_MILLI;
    return micros / MICROS_PER_MILLI == value ? new Bound.Whole(micros) : null;
  }

  /** Only zone-less timestamps keep nanoseconds in DuckDB; it cuts the others off towards zero. */
  private static Bound nanos(ColumnType type, long value) {
    return type == Scalar.TIMESTAMP_NS || isInfinite(value)
        ? new Bound.Whole(value)
        : new Bound.Whole(value / NANOS_PER_MICRO);
  }

  private static boolean isInfinite(long value) {
    return value == Long.MAX_VALUE || value == -Long.MAX_VALUE;
  }

  private static Bound unsigned(long bits) {
    BigInteger value = BigInteger.valueOf(bits);
    return new Bound.Numeric(new BigDecimal(bits < 0 ? value.add(TWO_TO_64) : value));
  }

  private static @Nullable Bound real(double value) {
    return Double.isNaN(value) ? null : new Bound.Real(value);
  }

  /** PostgreSQL stores no NUL character, and bytes that are no UTF-8 have no text form. */
  private static @Nullable Bound text(ByteBuffer in) {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(in)
              .toString();
      return text.indexOf('\0') >= 0 ? null : new Bound.Text(text);
    } catch (CharacterCodingException noUtf8) {
      return null;
    }
  }

  private static Bound uuid(ByteBuffer in) {
    in.order(ByteOrder.BIG_ENDIAN);
    return new Bound.Text(new UUID(in.getLong(0), in.getLong(8)).toString());
  }

  private static byte[] array(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.duplicate().get(bytes);
    return bytes;
  }
}
