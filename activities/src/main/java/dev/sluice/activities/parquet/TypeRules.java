package dev.sluice.activities.parquet;

import dev.sluice.activities.parquet.FileType.Storage;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which file types a column accepts (ducklake-format 7) and which type holds two file types. */
public final class TypeRules {

  private static final int MAX_PRECISION = 38;
  private static final Map<Scalar, Integer> SIGNED_BITS =
      Map.of(Scalar.INT8, 8, Scalar.INT16, 16, Scalar.INT32, 32, Scalar.INT64, 64);
  private static final Map<Scalar, Integer> UNSIGNED_BITS =
      Map.of(Scalar.UINT8, 8, Scalar.UINT16, 16, Scalar.UINT32, 32, Scalar.UINT64, 64);

  private TypeRules() {}

  /** Whether a column of the first type holds every value of the second one, children aside. */
  public static boolean holds(ColumnType column, ColumnType from) {
    return column.equals(union(column, from));
  }

  /**
   * Whether a column of this type takes the values of such a file column, children aside.
   *
   * <p>One case is narrower than DuckDB's: a decimal must also have room for the file's integer
   * digits, since DuckDB registers such a file and then fails to read it.
   */
  static boolean accepts(ColumnType column, FileType.Supported file) {
    if (file.storage() == Storage.ALL_NULL) {
      return true;
    }
    ColumnType from = file.type();
    return switch (column) {
      case Nested nested -> from == nested;
      case Decimal(int precision, int scale) ->
          from instanceof Decimal(int filePrecision, int fileScale)
              && fileScale <= scale
              && filePrecision - fileScale <= precision - scale;
      case Scalar scalar -> from instanceof Scalar source && acceptsScalar(scalar, source);
    };
  }

  private static boolean acceptsScalar(Scalar column, Scalar from) {
    return switch (column) {
      case INT8, INT16, INT32, INT64 ->
          (signedBits(from) > 0 && signedBits(from) <= signedBits(column))
              || (unsignedBits(from) > 0 && unsignedBits(from) < signedBits(column));
      case UINT8, UINT16, UINT32, UINT64 ->
          unsignedBits(from) > 0 && unsignedBits(from) <= unsignedBits(column);
      case FLOAT64 -> from == Scalar.FLOAT64 || from == Scalar.FLOAT32;
      case TIMESTAMP, TIMESTAMP_US, TIMESTAMP_NS ->
          from == Scalar.TIMESTAMP || from == Scalar.TIMESTAMP_NS;
      case TIMESTAMP_S, TIMESTAMP_MS -> from == Scalar.TIMESTAMP;
      case BOOLEAN,
          INT128,
          UINT128,
          FLOAT32,
          DATE,
          TIME,
          TIME_NS,
          TIMETZ,
          TIMESTAMPTZ,
          INTERVAL,
          VARCHAR,
          JSON,
          BLOB,
          UUID,
          GEOMETRY,
          VARIANT ->
          column == from;
    };
  }

  /**
   * The narrowest column type that accepts both; null when DuckDB's union by name finds none or one
   * whose column would then refuse one of the files.
   */
  static @Nullable ColumnType union(ColumnType one, ColumnType other) {
    if (one.equals(other)) {
      return one;
    }
    if (one instanceof Decimal first && other instanceof Decimal second) {
      return decimal(first, second);
    }
    if (!(one instanceof Scalar first) || !(other instanceof Scalar second)) {
      return null;
    }
    if (takes(first, second)) {
      return first;
    }
    if (takes(second, first)) {
      return second;
    }
    return integer(first, second);
  }

  /** Nanoseconds win over microseconds, as in DuckDB. */
  private static boolean takes(Scalar column, Scalar from) {
    return acceptsScalar(column, from)
        && !(column == Scalar.TIMESTAMP && from == Scalar.TIMESTAMP_NS);
  }

  private static @Nullable ColumnType decimal(Decimal one, Decimal other) {
    int scale = Math.max(one.scale(), other.scale());
    int integers = Math.max(one.precision() - one.scale(), other.precision() - other.scale());
    return scale + integers <= MAX_PRECISION ? new Decimal(scale + integers, scale) : null;
  }

  /** A signed and an unsigned type of at least its width: the next wider signed one. */
  private static @Nullable ColumnType integer(Scalar one, Scalar other) {
    int signed = Math.max(signedBits(one), signedBits(other));
    int unsigned = Math.max(unsignedBits(one), unsignedBits(other));
    if (signed == 0 || unsigned == 0) {
      return null;
    }
    return switch (Math.max(signed, 2 * unsigned)) {
      case 16 -> Scalar.INT16;
      case 32 -> Scalar.INT32;
      case 64 -> Scalar.INT64;
      default -> null;
    };
  }

  private static int signedBits(Scalar type) {
    return SIGNED_BITS.getOrDefault(type, 0);
  }

  private static int unsignedBits(Scalar type) {
    return UNSIGNED_BITS.getOrDefault(type, 0);
  }
}
