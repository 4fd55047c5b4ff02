package dev.sluice.catalog;

import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The text of minima, maxima and partition values, read in the column's type (ducklake-format 5.1).
 *
 * <p>The one place where such text is parsed and compared. It is strict: whatever is not surely the
 * spelling of a value that the type can hold is unknown, because a wrong guess loses rows while an
 * unknown bound only costs a read. Stateless and thread-safe.
 */
public final class BoundText {

  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,40}");
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d{1,40}(\\.\\d{0,40})?|\\.\\d{1,40})");
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,4})?");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private BoundText() {}

  /**
   * Compares two texts as values of the type.
   *
   * @return negative, zero or positive; empty when one of them does not parse or the type has no
   *     order that its text tells (see {@link #isOrdered})
   */
  public static OptionalInt compare(ColumnType type, String left, String right) {
    Optional<BoundValue> leftValue = parse(type, left);
    Optional<BoundValue> rightValue = parse(type, right);
    return leftValue.isPresent() && rightValue.isPresent()
        ? OptionalInt.of(leftValue.get().compareTo(rightValue.get()))
        : OptionalInt.empty();
  }

  /**
   * Whether bounds of this type can be trusted at all: false for blob (its text differs by writer),
   * for interval and timetz (DuckDB registers bogus statistics), for 128-bit integers (stored as
   * doubles), geometry, variant and the nested kinds.
   */
  public static boolean isOrdered(ColumnType type) {
    return switch (type) {
      case Decimal decimal -> true;
      case Nested nested -> false;
      case Scalar scalar ->
          switch (scalar) {
            case BLOB, INTERVAL, TIMETZ, INT128, UINT128, GEOMETRY, VARIANT -> false;
            case BOOLEAN,
                INT8,
                INT16,
                INT32,
                INT64,
                UINT8,
                UINT16,
                UINT32,
                UINT64,
                FLOAT32,
                FLOAT64,
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
                JSON,
                UUID ->
                true;
          };
    };
  }

  /**
   * Parses the text as a value of the type.
   *
   * @return empty when it does not surely spell a value of the type, for NaN (which is no bound),
   *     and for types without an order in their text. 128-bit integers do parse, although their
   *     bounds in files are not to be trusted
   */
  public static Optional<BoundValue> parse(ColumnType type, String text) {
    return switch (type) {
      case Decimal decimal -> decimal(decimal, text);
      case Nested nested -> Optional.empty();
      case Scalar scalar ->
          switch (scalar) {
            case BOOLEAN -> bool(text);
            case INT8 -> signed(text, 8);
            case INT16 -> signed(text, 16);
            case INT32 -> signed(text, 32);
            case INT64 -> signed(text, 64);
            case INT128 -> signed(text, 128);
            case UINT8 -> unsigned(text, 8);
            case UINT16 -> unsigned(text, 16);
            case UINT32 -> unsigned(text, 32);
            case UINT64 -> unsigned(text, 64);
            case UINT128 -> unsigned(text, 128);
            case FLOAT32 -> float32(text);
            case FLOAT64 -> float64(text);
            case DATE -> TemporalText.date(text);
            case TIME -> TemporalText.time(text, 6);
            case TIME_NS -> TemporalText.time(text, 9);
            case TIMESTAMP, TIMESTAMP_US -> TemporalText.timestamp(text, 6);
            case TIMESTAMP_S -> TemporalText.timestamp(text, 0);
            case TIMESTAMP_MS -> TemporalText.timestamp(text, 3);
            case TIMESTAMP_NS -> TemporalText.timestamp(text, 9);
            case TIMESTAMPTZ -> TemporalText.timestampWithOffset(text);
            case VARCHAR, JSON -> Optional.of(new BoundValue.Text(text));
            case UUID ->
                UUID.matcher(text).matches()
                    ? Optional.of(new BoundValue.Text(text.toLowerCase(Locale.ROOT)))
                    : Optional.empty();
            case TIMETZ, INTERVAL, BLOB, GEOMETRY, VARIANT -> Optional.empty();
          };
    };
  }

  /** Whether the text spells NaN for a float type, in any case and with any sign. */
  public static boolean isNan(ColumnType type, String text) {
    return (type == Scalar.FLOAT32 || type == Scalar.FLOAT64) && unsignedWord(text).equals("nan");
  }

  /** Both spellings occur: 0 and 1 from DuckDB's writer, false and true from registered files. */
  private static Optional<BoundValue> bool(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "0", "false" -> Optional.of(new BoundValue.Exact(BigDecimal.ZERO));
      case "1", "true" -> Optional.of(new BoundValue.Exact(BigDecimal.ONE));
      default -> Optional.empty();
    };
  }

  private static Optional<BoundValue> signed(String text, int bits) {
    // bitLength of a two's complement number leaves the sign bit out
    return integer(text).filter(n -> n.bitLength() < bits).map(BoundText::exact);
  }

  private static Optional<BoundValue> unsigned(String text, int bits) {
    return integer(text)
        .filter(n -> n.signum() >= 0 && n.bitLength() <= bits)
        .map(BoundText::exact);
  }

  private static Optional<BigInteger> integer(String text) {
    return INTEGER.matcher(text).matches() ? Optional.of(new BigInteger(text)) : Optional.empty();
  }

  private static BoundValue exact(BigInteger number) {
    return new BoundValue.Exact(new BigDecimal(number));
  }

  /** More digits than the type holds mean that a reader would round: unknown. */
  private static Optional<BoundValue> decimal(Decimal type, String text) {
    if (!DECIMAL.matcher(text).matches()) {
      return Optional.empty();
    }
    BigDecimal number = new BigDecimal(text).stripTrailingZeros();
    boolean fits =
        number.scale() <= type.scale()
            && number.precision() - number.scale() <= type.precision() - type.scale();
    return fits || number.signum() == 0
        ? Optional.of(new BoundValue.Exact(number))
        : Optional.empty();
  }

  /** The float nearest to the text, as the file holds it, widened. */
  private static Optional<BoundValue> float32(String text) {
    return infinity(text)
        .or(
            () ->
                FLOAT.matcher(text).matches() && Float.isFinite(Float.parseFloat(text))
                    ? Optional.of(new BoundValue.Floating(Float.parseFloat(text)))
                    : Optional.empty());
  }

  private static Optional<BoundValue> float64(String text) {
    return infinity(text)
        .or(
            () ->
                FLOAT.matcher(text).matches() && Double.isFinite(Double.parseDouble(text))
                    ? Optional.of(new BoundValue.Floating(Double.parseDouble(text)))
                    : Optional.empty());
  }

  private static Optional<BoundValue> infinity(String text) {
    return switch (unsignedWord(text)) {
      case "inf", "infinity" ->
          Optional.of(
              new BoundValue.Floating(
                  text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY));
      default -> Optional.empty();
    };
  }

  private static String unsignedWord(String text) {
    String word = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    return word.toLowerCase(Locale.ROOT);
  }
}
