package dev.sluice.catalog.read;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.BoundValue;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.Optional;
import java.util.Set;

/**
 * How texts of a column and a literal of another type are brought to one order. Where SQL would
 * convert in a way that is not surely monotone, or that hangs on a session, there is none.
 */
enum ComparisonDomain {
  /** Both are read in the column's type. */
  SAME,
  /** Integers and decimals, compared as exact numbers. */
  EXACT,
  /** A float is involved: both become doubles, which keeps the order. */
  DOUBLE,
  /** Cannot be told from text. */
  NONE;

  static ComparisonDomain of(ColumnType column, ColumnType literal) {
    if (normalized(column).equals(normalized(literal))) {
      return SAME;
    }
    if (isInteger(column) && isInteger(literal)) {
      return EXACT;
    }
    if (isExact(column) && isExact(literal)) {
      // DuckDB turns 128-bit integers beside decimals into doubles
      return isWide(column) || isWide(literal) ? NONE : EXACT;
    }
    boolean columnFits = isInteger(column) || isFloat(column);
    boolean literalFits = isExact(literal) || isFloat(literal);
    return columnFits && literalFits ? DOUBLE : NONE;
  }

  /** Whether texts written while the column had another type still order as the current one. */
  static boolean survivesRetype(ColumnType before, ColumnType now) {
    if (normalized(before).equals(normalized(now))) {
      return true;
    }
    if (isExact(now)) {
      return isExact(before) || before == Scalar.BOOLEAN;
    }
    if (isFloat(now)) {
      return isInteger(before) || isFloat(before);
    }
    // other types become text: what was ordered as a number would now be compared letter by letter
    return isTemporal(now) && isTemporal(before);
  }

  Optional<BoundValue> value(ColumnType type, String text) {
    Optional<BoundValue> parsed = BoundText.parse(type, text);
    return switch (this) {
      case SAME, EXACT -> parsed;
      case DOUBLE -> parsed.map(ComparisonDomain::toDouble);
      case NONE -> Optional.empty();
    };
  }

  private static BoundValue toDouble(BoundValue value) {
    return value instanceof BoundValue.Exact exact
        ? new BoundValue.Floating(exact.number().doubleValue())
        : value;
  }

  static boolean isFloat(ColumnType type) {
    return type == Scalar.FLOAT32 || type == Scalar.FLOAT64;
  }

  static boolean isNumber(ColumnType type) {
    return isExact(type) || isFloat(type);
  }

  private static ColumnType normalized(ColumnType type) {
    if (type == Scalar.TIMESTAMP_US) {
      return Scalar.TIMESTAMP;
    }
    return type == Scalar.JSON ? Scalar.VARCHAR : type;
  }

  private static boolean isExact(ColumnType type) {
    return isInteger(type) || type instanceof Decimal;
  }

  private static boolean isWide(ColumnType type) {
    return type == Scalar.INT128 || type == Scalar.UINT128;
  }

  private static boolean isInteger(ColumnType type) {
    return type instanceof Scalar scalar && scalar.isInteger();
  }

  private static boolean isTemporal(ColumnType type) {
    return type instanceof Scalar scalar && TIMESTAMPS.contains(scalar);
  }

  private static final Set<Scalar> TIMESTAMPS =
      Set.of(
          Scalar.DATE,
          Scalar.TIMESTAMP,
          Scalar.TIMESTAMP_US,
          Scalar.TIMESTAMP_S,
          Scalar.TIMESTAMP_MS,
          Scalar.TIMESTAMP_NS);
}
