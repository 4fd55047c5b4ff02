package dev.sluice.activities.parquet;

import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import java.util.Locale;

/** Column types by DuckDB's names, for tests whose judge is DuckDB. */
final class SpellingTypes {

  private SpellingTypes() {}

  static ColumnType of(String duckDbType) {
    return switch (duckDbType) {
      case "TINYINT" -> Scalar.INT8;
      case "SMALLINT" -> Scalar.INT16;
      case "INTEGER", "INT" -> Scalar.INT32;
      case "BIGINT" -> Scalar.INT64;
      case "UTINYINT" -> Scalar.UINT8;
      case "USMALLINT" -> Scalar.UINT16;
      case "UINTEGER" -> Scalar.UINT32;
      case "UBIGINT" -> Scalar.UINT64;
      case "FLOAT" -> Scalar.FLOAT32;
      case "DOUBLE" -> Scalar.FLOAT64;
      default -> ColumnType.parse(duckDbType.toLowerCase(Locale.ROOT));
    };
  }
}
