package dev.sluice.catalog.commit;

import dev.sluice.catalog.BoundText;
import dev.sluice.catalog.ColumnSpec;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import dev.sluice.catalog.error.CatalogErrors;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Defaults of new columns. A default that DuckDB cannot cast to the column's type makes it refuse
 * the whole catalog (ducklake-format 4.9).
 */
final class DefaultCheck {

  /** Types of which no bounds are parsed. Parquet files of DuckDB hold no negative intervals. */
  private static final Map<ColumnType, Pattern> SPELLINGS =
      Map.of(
          Scalar.BLOB,
          Pattern.compile("([\\x01-\\x7f&&[^\\\\]]|\\\\x[0-9a-fA-F]{2})*+"),
          Scalar.INTERVAL,
          Pattern.compile(
              "(?! *$)([0-9]{1,6} (year|month|week|day|hour|minute|second)s?( |$))*+"
                  + "([0-9]{1,4}:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?)?"),
          Scalar.TIMETZ,
          Pattern.compile(
              "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?"
                  + "[+-](0[0-9]|1[0-5])(:[0-5][0-9])?"));

  /** Years of which the bounds' parser takes some that DuckDB does not. */
  private static final Pattern FAR_OFF = Pattern.compile("[0-9]{6,}-[0-9]{2}-[0-9]{2}");

  /** Years that 64 bits of nanoseconds have from end to end. */
  private static final Pattern NANOSECONDS =
      Pattern.compile(
          "-?inf|(167[89]|16[89][0-9]|1[7-9][0-9]{2}|2[01][0-9]{2}|22[0-5][0-9]|226[01])-");

  private DefaultCheck() {}

  /** Refuses a column that rows which are there already could not have. */
  static void requireValue(String table, ColumnSpec column) {
    if (column.initialDefault() == null && column.nulls() == Nulls.FORBIDDEN) {
      throw refused(table, column, "it may not be NULL, and the rows that are there have nothing");
    }
  }

  /** Refuses a default that is no constant of the column's type. */
  static void requireUsable(String table, ColumnSpec column) {
    String constant = column.initialDefault();
    if (constant == null) {
      return;
    }
    unusable(column.type(), constant)
        .ifPresent(
            reason -> {
              throw refused(table, column, reason);
            });
  }

  /** Refuses a default for a column that is there. */
  static void requireConstant(String table, String column, ColumnType type, String constant) {
    unusable(type, constant)
        .ifPresent(
            reason -> {
              throw CatalogErrors.invalid(
                  "table " + table,
                  "column %s cannot have the default %s".formatted(column, constant),
                  reason,
                  "give a constant of the column's type");
            });
  }

  private static Optional<String> unusable(ColumnType type, String constant) {
    if (type instanceof ColumnType.Nested) {
      return Optional.of("nested columns cannot have a default");
    }
    if (constant.equals(ColumnRow.NO_DEFAULT)) {
      return Optional.of("the catalog spells 'no default' NULL, so no default can be NULL");
    }
    if (constant.indexOf(0) >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(constant)) {
      return Optional.of("it holds a zero character, or half of one, which the catalog cannot");
    }
    return isConstant(type, constant)
        ? Optional.empty()
        : Optional.of("'%s' is no %s".formatted(constant, type.text()));
  }

  /** Strict: DuckDB has to take what is taken here. */
  private static boolean isConstant(ColumnType type, String constant) {
    if (type == Scalar.JSON) {
      return JsonText.isValid(constant);
    }
    if (type == Scalar.GEOMETRY || type == Scalar.VARIANT) {
      return false;
    }
    Pattern spelling = SPELLINGS.get(type);
    if (spelling != null) {
      return spelling.matcher(constant).matches();
    }
    return BoundText.parse(type, constant).isPresent()
        && !FAR_OFF.matcher(constant).lookingAt()
        && (type != Scalar.TIMESTAMP_NS || NANOSECONDS.matcher(constant).lookingAt())
        && (!(type == Scalar.INT128 || type == Scalar.UINT128) || isDouble(constant));
  }

  /** DuckDB's files keep integers of 128 bits as such. */
  private static boolean isDouble(String integer) {
    BigDecimal exact = new BigDecimal(integer);
    return new BigDecimal(exact.doubleValue()).compareTo(exact) == 0;
  }

  private static RuntimeException refused(String table, ColumnSpec column, String reason) {
    return CatalogErrors.invalid(
        "table " + table,
        "column %s cannot be added".formatted(column.name()),
        reason,
        "give a constant of the column's type, or allow NULL");
  }
}
