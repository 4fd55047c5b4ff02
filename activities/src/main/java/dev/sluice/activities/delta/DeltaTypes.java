package dev.sluice.activities.delta;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Delta's primitive types (Delta protocol, "Primitive Types") in DuckLake's. Variant, geometry,
 * geography and interval are not among them: DuckDB would not read their files as Delta means them.
 */
final class DeltaTypes {

  private static final Map<String, ColumnType> BY_NAME =
      Map.ofEntries(
          Map.entry("boolean", Scalar.BOOLEAN),
          Map.entry("byte", Scalar.INT8),
          Map.entry("short", Scalar.INT16),
          Map.entry("integer", Scalar.INT32),
          Map.entry("long", Scalar.INT64),
          Map.entry("float", Scalar.FLOAT32),
          Map.entry("double", Scalar.FLOAT64),
          Map.entry("date", Scalar.DATE),
          Map.entry("timestamp", Scalar.TIMESTAMPTZ),
          Map.entry("timestamp_ntz", Scalar.TIMESTAMP),
          Map.entry("string", Scalar.VARCHAR),
          Map.entry("binary", Scalar.BLOB),
          // Spark's default when none is given.
          Map.entry("decimal", new Decimal(10, 0)));

  private static final Pattern DECIMAL =
      Pattern.compile("decimal\\(\\s*(\\d{1,2})\\s*,\\s*(\\d{1,2})\\s*\\)");

  private DeltaTypes() {}

  /** The type by its name in a schema; empty for one that cannot be carried over. */
  static Optional<ColumnType> find(String name) {
    Matcher decimal = DECIMAL.matcher(name);
    if (!decimal.matches()) {
      return Optional.ofNullable(BY_NAME.get(name));
    }
    int precision = Integer.parseInt(decimal.group(1), 10);
    int scale = Integer.parseInt(decimal.group(2), 10);
    return precision >= 1 && precision <= 38 && scale <= precision
        ? Optional.of(new Decimal(precision, scale))
        : Optional.empty();
  }
}
