package dev.sluice.catalog.commit;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Decimal;
import dev.sluice.catalog.ColumnType.Nested;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.TableDraft.SpecKey;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.List;

/**
 * Keys that a table can be partitioned by. DuckDB takes any, and then cannot write a row into the
 * table any more.
 */
final class PartitionKeys {

  private PartitionKeys() {}

  /** Refuses a part of a date or time of a column that has none. */
  static void requireFits(TableName table, ColumnRow column, PartitionTransform transform) {
    if (transform instanceof PartitionTransform.Simple simple && !fits(simple, column.type())) {
      throw CatalogErrors.invalid(
          "table " + table,
          "cannot be partitioned by %s(%s)".formatted(simple.text(), column.name()),
          "the column is %s, which has no %s".formatted(column.type().text(), simple.text()),
          "choose a column of dates or timestamps, or another transform");
    }
  }

  /** Refuses a key that is there already. */
  static void requireNew(TableName table, ColumnRow column, SpecKey key, List<SpecKey> keys) {
    if (keys.contains(key)) {
      throw CatalogErrors.invalid(
          "table " + table,
          "cannot be partitioned by %s twice".formatted(column.name()),
          "a file's folder has one value for each key",
          "name each key once");
    }
  }

  private static boolean fits(PartitionTransform.Simple transform, ColumnType type) {
    return switch (transform) {
      case IDENTITY -> true;
      case YEAR, MONTH, DAY -> hasDate(type);
      case HOUR -> hasDate(type) || type == Scalar.TIME || type == Scalar.TIMETZ;
    };
  }

  private static boolean hasDate(ColumnType type) {
    return switch (type) {
      case Decimal decimal -> false;
      case Nested nested -> false;
      case Scalar scalar ->
          switch (scalar) {
            case DATE,
                TIMESTAMP,
                TIMESTAMP_US,
                TIMESTAMP_S,
                TIMESTAMP_MS,
                TIMESTAMP_NS,
                TIMESTAMPTZ,
                INTERVAL ->
                true;
            case BOOLEAN,
                INT8,
                INT16,
                INT32,
                INT64,
                INT128,
                UINT8,
                UINT16,
                UINT32,
                UINT64,
                UINT128,
                FLOAT32,
                FLOAT64,
                TIME,
                TIME_NS,
                TIMETZ,
                VARCHAR,
                JSON,
                BLOB,
                UUID,
                GEOMETRY,
                VARIANT ->
                false;
          };
    };
  }
}
