package dev.sluice.activities.parquet.write;

import dev.sluice.catalog.Column;

/** Every user-visible error of this package: context, problem, reason, remedy. */
final class WriteErrors {

  private WriteErrors() {}

  static ParquetWriteException unsupportedType(String file, Column column) {
    return new ParquetWriteException(
        ("file %s: column %s is a %s, which is not written; Parquet has no form of it that keeps"
                + " every value; change the column's type or write the table with DuckDB")
            .formatted(file, column.name(), column.type().text()),
        null);
  }

  static ParquetWriteException rowWidth(String file, long row, int expected, int actual) {
    return new ParquetWriteException(
        "file %s: row %d has %d values, the table has %d columns"
            .formatted(file, row, actual, expected),
        null);
  }

  static ParquetWriteException wrongValue(String file, Column column, Object value, Throwable e) {
    return new ParquetWriteException(
        "file %s: column %s is a %s and cannot hold a %s; %s"
            .formatted(
                file,
                column.name(),
                column.type().text(),
                value.getClass().getSimpleName(),
                e.getMessage()),
        e);
  }

  static ParquetWriteException failed(String file, Throwable cause) {
    return new ParquetWriteException(
        "file %s: it cannot be written; %s; nothing was stored, try again"
            .formatted(file, cause.getMessage()),
        cause);
  }
}
