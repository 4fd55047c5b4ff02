package dev.sluice.activities.parquet;

import dev.sluice.catalog.ColumnType;

/** How DuckDB reads a column of a Parquet file. */
public sealed interface FileType {

  /**
   * Supported as a type of DuckLake.
   *
   * @param type the type DuckDB reads the column as
   * @param storage how its values lie in the file
   */
  record Supported(ColumnType type, Storage storage) implements FileType {}

  /**
   * Not readable by DuckDB, or not the way the file means it.
   *
   * @param found what the file says the column is
   * @param reason why that does not do
   */
  record Unsupported(String found, String reason) implements FileType {}

  /** How the values of a leaf are stored, which decides how its statistics are decoded. */
  enum Storage {
    /** Struct, list or map. */
    GROUP,
    BOOLEAN,
    SIGNED_32,
    SIGNED_64,
    UNSIGNED_32,
    UNSIGNED_64,
    FLOAT,
    DOUBLE,
    DECIMAL_32,
    DECIMAL_64,
    /** Big-endian two's complement of any length. */
    DECIMAL_BYTES,
    /** Days since 1970-01-01. */
    DAYS,
    /** Times and timestamps by unit; the width follows from the number of bytes. */
    MILLIS,
    MICROS,
    NANOS,
    /** UTF-8. */
    TEXT,
    /** Sixteen big-endian bytes. */
    UUID,
    /** Only NULLs, of no type of their own. */
    ALL_NULL,
    /** Bounds are meaningless or not to be trusted: bytes, INT96, intervals, half floats. */
    OPAQUE
  }
}
