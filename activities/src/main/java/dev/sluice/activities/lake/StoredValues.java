package dev.sluice.activities.lake;

import dev.sluice.activities.query.Sql;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What DuckDB's Parquet files keep of a value (ducklake-format 5.1). Where they keep less than the
 * column's type holds, a value is refused that would come back as another one.
 */
final class StoredValues {

  private StoredValues() {}

  /** Refuses columns of which nothing can be stored in a file that DuckDB reads back. */
  static void requireWritable(String doing, List<Column> columns) {
    for (Column column : columns) {
      String reason = reason(column);
      if (reason != null) {
        throw WriteErrors.unwritable(doing, column, reason);
      }
      for (Column child : column.children()) {
        requireNested(doing, child);
      }
    }
  }

  private static void requireNested(String doing, Column column) {
    String reason = reason(column);
    if (reason == null && guard(column, "") != null) {
      reason = "inside nested values it would lose digits unseen";
    }
    if (reason != null) {
      throw WriteErrors.unwritable(doing, column, reason);
    }
    column.children().forEach(child -> requireNested(doing, child));
  }

  private static @Nullable String reason(Column column) {
    return switch (column.type()) {
      case Scalar.GEOMETRY, Scalar.VARIANT -> "its statistics need a reading of every value";
      case Scalar.TIME_NS -> "DuckDB writes it to files as text";
      case Scalar any -> null;
      case Decimal any -> null;
      case Nested any -> null;
    };
  }

  /** The value's SQL, failing where a file would not give the value back. */
  static String exact(Column column, String value) {
    String kept = whole(column, value);
    return column.nulls() == Nulls.FORBIDDEN && !isCounted(column)
        ? "CASE WHEN %s IS NULL THEN error(%s) ELSE %s END"
            .formatted(
                value,
                Sql.literal(
                    "column " + column.name() + " is NOT NULL and a row has no value there"),
                kept)
        : kept;
  }

  /** Whether the file's own statistics tell how many of the column's values are NULL. */
  static boolean isCounted(Column column) {
    return column.children().isEmpty()
        && column.type() != Scalar.INTERVAL
        && column.type() != Scalar.TIMETZ;
  }

  private static String whole(Column column, String value) {
    String lossy = guard(column, value);
    return lossy == null
        ? NestedValues.brokenMaps(column, value)
            .map(
                broken ->
                    "CASE WHEN %s THEN error(%s) ELSE %s END"
                        .formatted(
                            broken,
                            Sql.literal(
                                "column %s has a map with a key twice, or without one"
                                    .formatted(column.name())),
                            value))
            .orElse(value)
        : "CASE WHEN %s THEN error(%s || CAST(%s AS VARCHAR)) ELSE %s END"
            .formatted(
                lossy,
                Sql.literal(
                    "column %s of type %s is kept in files with fewer digits, and they would lose "
                        .formatted(column.name(), column.type().text())),
                value,
                value);
  }

  private static @Nullable String guard(Column column, String value) {
    return switch (column.type()) {
      case Scalar.INT128 -> wide(value, "HUGEINT");
      case Scalar.UINT128 -> wide(value, "UHUGEINT");
      case Scalar.INTERVAL -> "extract(microseconds FROM " + value + ") % 1000 <> 0";
      case Scalar.TIMETZ -> "extract(timezone FROM " + value + ") <> 0";
      case Scalar any -> null;
      case Decimal any -> null;
      case Nested any -> null;
    };
  }

  /** Stored as DOUBLE. */
  private static String wide(String value, String type) {
    return "TRY_CAST(CAST(%s AS DOUBLE) AS %s) IS DISTINCT FROM %s".formatted(value, type, value);
  }
}
