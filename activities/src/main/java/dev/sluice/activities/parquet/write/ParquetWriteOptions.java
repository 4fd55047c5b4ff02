package dev.sluice.activities.parquet.write;

/**
 * How files are written.
 *
 * @param compression the codec
 * @param rowGroupBytes bytes in memory at which a row group ends, at least 1
 */
public record ParquetWriteOptions(Compression compression, long rowGroupBytes) {

  /** Parquet's usual size: large enough for good compression, small enough to hold in memory. */
  public static final long DEFAULT_ROW_GROUP_BYTES = 128L << 20;

  /** Checks the size. */
  public ParquetWriteOptions {
    if (rowGroupBytes < 1) {
      throw new IllegalArgumentException("a row group needs at least 1 byte, got " + rowGroupBytes);
    }
  }

  /** Zstandard and row groups of 128 MiB. */
  public static ParquetWriteOptions defaults() {
    return new ParquetWriteOptions(Compression.ZSTD, DEFAULT_ROW_GROUP_BYTES);
  }

  /** The same options with another size of row groups. */
  public ParquetWriteOptions withRowGroupBytes(long bytes) {
    return new ParquetWriteOptions(compression, bytes);
  }

  /** The same options with another codec. */
  public ParquetWriteOptions with(Compression codec) {
    return new ParquetWriteOptions(codec, rowGroupBytes);
  }

  /** Codecs that DuckDB reads and that need no native Hadoop. */
  public enum Compression {
    NONE,
    SNAPPY,
    ZSTD
  }
}
