package dev.sluice.catalog.commit;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.PartitionTransform;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.TableDraft.SpecKey;
import dev.sluice.catalog.error.CatalogErrors;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Keys that a table can be partitioned by. DuckDB takes any, and then cannot write a row into the
 * table any more.
 */
final class PartitionKeys {

  private static final Set<Scalar> DATED =
      EnumSet.of(
          Scalar.DATE,
          Scalar.TIMESTAMP,
          Scalar.TIMESTAMP_US,
          Scalar.TIMESTAMP_S,
          Scalar.TIMESTAMP_MS,
          Scalar.TIMESTAMP_NS,
          Scalar.TIMESTAMPTZ,
          Scalar.INTERVAL);

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
    return type instanceof Scalar scalar && DATED.contains(scalar);
  }
}
