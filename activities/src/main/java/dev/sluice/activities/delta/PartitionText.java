package dev.sluice.activities.delta;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * Partition values of a log (Delta protocol, "Partition Value Serialization") as text that DuckDB
 * casts to the column's type.
 */
final class PartitionText {

  /** DuckDB reads a text without zone in the session's zone. */
  private static final String UTC = "+00";

  private PartitionText() {}

  /**
   * Whether the text is NULL: the empty one, except for strings. (The protocol says it of strings
   * too, but the reference implementation and Delta Kernel read an empty string there.)
   */
  static boolean isNull(ColumnType type, String text) {
    return text.isEmpty() && type != Scalar.VARCHAR;
  }

  /** The value in DuckDB's spelling; empty when the text is no value of the type. */
  static Optional<String> canonical(ColumnType type, String text) {
    return switch (type) {
      case Decimal decimal -> decimal(decimal, text);
      case Nested nested -> Optional.empty();
      case Scalar scalar ->
          switch (scalar) {
            case VARCHAR -> Optional.of(text);
            case BLOB -> Optional.of(blob(text));
            case BOOLEAN -> bool(text);
            case INT8, INT16, INT32, INT64 ->
                BoundText.parse(type, text).map(known -> new BigDecimal(text).toPlainString());
            case FLOAT32, FLOAT64 ->
                BoundText.isNan(type, text) || BoundText.parse(type, text).isPresent()
                    ? Optional.of(text)
                    : Optional.empty();
            case DATE -> DeltaTimes.date(text).map(DeltaTimes::spelled);
            case TIMESTAMP ->
                DeltaTimes.timestamp(text).map(time -> DeltaTimes.spelled(time.utc()));
            case TIMESTAMPTZ ->
                DeltaTimes.timestamp(text).map(time -> DeltaTimes.spelled(time.utc()) + UTC);
            case INT128,
                UINT8,
                UINT16,
                UINT32,
                UINT64,
                UINT128,
                TIME,
                TIME_NS,
                TIMETZ,
                TIMESTAMP_US,
                TIMESTAMP_S,
                TIMESTAMP_MS,
                TIMESTAMP_NS,
                INTERVAL,
                JSON,
                UUID,
                GEOMETRY,
                VARIANT ->
                // No Delta type becomes one of these.
                Optional.empty();
          };
    };
  }

  private static Optional<String> bool(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.equals("true") || lower.equals("false") ? Optional.of(lower) : Optional.empty();
  }

  private static Optional<String> decimal(Decimal type, String text) {
    try {
      BigDecimal number = new BigDecimal(text).setScale(type.scale(), RoundingMode.UNNECESSARY);
      return number.precision() <= type.precision()
          ? Optional.of(number.toPlainString())
          : Optional.empty();
    } catch (NumberFormatException noNumber) {
      return Optional.empty();
    } catch (ArithmeticException moreDigitsThanTheTypeHolds) {
      return Optional.empty();
    }
  }

  /** Every byte escaped, as DuckDB's cast from text wants those that are not printable. */
  private static String blob(String text) {
    StringBuilder escaped = new StringBuilder();
    HexFormat hex = HexFormat.of().withUpperCase();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      escaped.append("\\x").append(hex.toHexDigits(each));
    }
    return escaped.toString();
  }
}
