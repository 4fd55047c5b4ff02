package dev.sluice.catalog;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The type of a DuckLake column, in DuckLake's own closed vocabulary (never a SQL dialect's names).
 *
 * <p>Nested kinds say only what they are; their children are columns of their own (see {@link
 * Column#children()}), as in the catalog. Immutable and thread-safe.
 */
public sealed interface ColumnType {

  /** The text stored in {@code ducklake_column.column_type}. */
  String text();

  /**
   * Parses the catalog's type text. Names are matched without regard to case, as DuckDB does.
   *
   * @throws UnknownColumnTypeException if the text is not a type of format 1.0
   */
  static ColumnType parse(String text) {
    Matcher decimal = Decimal.PATTERN.matcher(text);
    if (decimal.matches()) {
      return new Decimal(
          Integer.parseInt(decimal.group(1), 10), Integer.parseInt(decimal.group(2), 10));
    }
    String name = text.strip().toLowerCase(Locale.ROOT);
    ColumnType found = Scalar.BY_TEXT.get(name);
    if (found == null) {
      found = Nested.BY_TEXT.get(name);
    }
    if (found == null) {
      throw new UnknownColumnTypeException(text);
    }
    return found;
  }

  /** Types without parameters and without children. */
  enum Scalar implements ColumnType {
    BOOLEAN("boolean"),
    INT8("int8"),
    INT16("int16"),
    INT32("int32"),
    INT64("int64"),
    INT128("int128"),
    UINT8("uint8"),
    UINT16("uint16"),
    UINT32("uint32"),
    UINT64("uint64"),
    UINT128("uint128"),
    FLOAT32("float32"),
    FLOAT64("float64"),
    DATE("date"),
    TIME("time"),
    TIME_NS("time_ns"),
    TIMETZ("timetz"),
    TIMESTAMP("timestamp"),
    TIMESTAMP_US("timestamp_us"),
    TIMESTAMP_S("timestamp_s"),
    TIMESTAMP_MS("timestamp_ms"),
    TIMESTAMP_NS("timestamp_ns"),
    TIMESTAMPTZ("timestamptz"),
    INTERVAL("interval"),
    VARCHAR("varchar"),
    JSON("json"),
    BLOB("blob"),
    UUID("uuid"),
    GEOMETRY("geometry"),
    VARIANT("variant");

    private static final Map<String, Scalar> BY_TEXT =
        Arrays.stream(values()).collect(Collectors.toMap(Scalar::text, Function.identity()));

    private static final Set<Scalar> INTEGERS =
        EnumSet.of(INT8, INT16, INT32, INT64, INT128, UINT8, UINT16, UINT32, UINT64, UINT128);

    private final String text;

    Scalar(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }

    /** Whether its values are whole numbers. */
    public boolean isInteger() {
      return INTEGERS.contains(this);
    }
  }

  /** A fixed-point number; precision 1 to 38, scale 0 to precision. */
  record Decimal(int precision, int scale) implements ColumnType {

    private static final Pattern PATTERN =
        Pattern.compile(
            "decimal\\(\\s*(\\d{1,2})\\s*,\\s*(\\d{1,2})\\s*\\)", Pattern.CASE_INSENSITIVE);

    /** Checks the bounds of DuckDB's decimal. */
    public Decimal {
      if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
        throw new IllegalArgumentException(
            "decimal(%d,%d): precision must be 1 to 38 and scale 0 to precision"
                .formatted(precision, scale));
      }
    }

    @Override
    public String text() {
      // plain concatenation: formatting would follow the digits of the host's locale
      return "decimal(" + precision + "," + scale + ")";
    }
  }

  /** Kinds whose children are columns: struct (one per field), list (element), map (key, value). */
  enum Nested implements ColumnType {
    STRUCT("struct"),
    LIST("list"),
    MAP("map");

    private static final Map<String, Nested> BY_TEXT =
        Arrays.stream(values()).collect(Collectors.toMap(Nested::text, Function.identity()));

    private final String text;

    Nested(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }
  }
}
