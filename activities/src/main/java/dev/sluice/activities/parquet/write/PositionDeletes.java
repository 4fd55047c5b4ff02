package dev.sluice.activities.parquet.write;

import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import java.util.List;

/**
 * Writes one positional delete file (ducklake-format 8.1): the data file's path and the position of
 * a deleted row, positions strictly ascending. For one thread at a time.
 */
public final class PositionDeletes implements AutoCloseable {

  /** Reserved field ids (ducklake-format 5.1). */
  private static final long FILE_PATH_ID = 2_147_483_646L;

  private static final long POS_ID = 2_147_483_645L;

  private static final List<Column> COLUMNS =
      List.of(
          column(FILE_PATH_ID, "file_path", Scalar.VARCHAR), column(POS_ID, "pos", Scalar.INT64));

  private final ParquetTableWriter writer;
  private final String dataFile;
  private long last = -1;

  private PositionDeletes(ParquetTableWriter writer, String dataFile) {
    this.writer = writer;
    this.dataFile = dataFile;
  }

  private static Column column(long id, String name, ColumnType type) {
    return new Column(id, name, type, Nulls.ALLOWED, null, null, null, null, List.of());
  }

  /**
   * Begins a file.
   *
   * @param dataFile full path of the data file that it belongs to
   */
  public static PositionDeletes open(ObjectStore store, String key, String dataFile) {
    return new PositionDeletes(
        ParquetTableWriter.open(store, key, COLUMNS, ParquetWriteOptions.defaults()), dataFile);
  }

  /**
   * Adds a position.
   *
   * @throws IllegalArgumentException if it is not above the one before
   */
  public void add(long position) {
    if (position <= last) {
      throw new IllegalArgumentException(
          "%s: position %d cannot follow %d".formatted(dataFile, position, last));
    }
    last = position;
    writer.write(dataFile, position);
  }

  /** Completes the file and makes it visible. */
  public WrittenFile finish() {
    return writer.finish();
  }

  /** Gives the file up unless it was finished. */
  @Override
  public void close() {
    writer.close();
  }
}
