package dev.sluice.activities.parquet.write;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigInteger;

/** What an integer type holds, both ends included. */
record IntegerRange(BigInteger min, BigInteger max) {

  static IntegerRange of(ColumnType type) {
    return switch ((Scalar) type) {
      case INT8 -> signed(8);
      case INT16 -> signed(16);
      case INT32 -> signed(32);
      case INT64 -> signed(64);
      case UINT8 -> unsigned(8);
      case UINT16 -> unsigned(16);
      case UINT32 -> unsigned(32);
      case UINT64 -> unsigned(64);
      case BOOLEAN,
          INT128,
          UINT128,
          FLOAT32,
          FLOAT64,
          DATE,
          TIME,
          TIME_NS,
          TIMETZ,
          TIMESTAMP,
          TIMESTAMP_US,
          TIMESTAMP_S,
          TIMESTAMP_MS,
          TIMESTAMP_NS,
          TIMESTAMPTZ,
          INTERVAL,
          VARCHAR,
          JSON,
          BLOB,
          UUID,
          GEOMETRY,
          VARIANT ->
          throw new IllegalArgumentException(type.text() + " is no integer type");
    };
  }

  private static IntegerRange signed(int bits) {
    BigInteger half = BigInteger.TWO.pow(bits - 1);
    return new IntegerRange(half.negate(), half.subtract(BigInteger.ONE));
  }

  private static IntegerRange unsigned(int bits) {
    return new IntegerRange(BigInteger.ZERO, BigInteger.TWO.pow(bits).subtract(BigInteger.ONE));
  }
}
