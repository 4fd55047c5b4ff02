package dev.sluice.activities.landing;

import dev.sluice.activities.delta.DeltaDeletes;
import dev.sluice.activities.parquet.write.ParquetTableWriter;
import dev.sluice.activities.parquet.write.ParquetWriteOptions;
import dev.sluice.activities.parquet.write.WrittenFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Column;
import dev.sluice.catalog.ColumnType;
import dev.sluice.catalog.ColumnType.Scalar;
import dev.sluice.catalog.Nulls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes positional delete files (ducklake-format 8.1): the data file's path and the position of a
 * deleted row, positions strictly ascending. Stateless.
 */
final class DeleteFiles {

  /** Reserved field ids (ducklake-format 5.1). */
  private static final long FILE_PATH_ID = 2_147_483_646L;

  private static final long POS_ID = 2_147_483_645L;

  private static final List<Column> COLUMNS =
      List.of(
          column(FILE_PATH_ID, "file_path", Scalar.VARCHAR), column(POS_ID, "pos", Scalar.INT64));

  private DeleteFiles() {}

  private static Column column(long id, String name, ColumnType type) {
    return new Column(id, name, type, Nulls.ALLOWED, null, null, null, null, List.of());
  }

  /**
   * Writes one.
   *
   * @param dataFileKey key of the data file that it belongs to
   * @param supersedes key of the live delete file that it takes the place of; null for none
   */
  static LandedDeletes write(
      ObjectStore lake,
      String key,
      String dataFileKey,
      DeltaDeletes deletes,
      @Nullable String supersedes) {
    try (ParquetTableWriter writer =
        ParquetTableWriter.open(lake, key, COLUMNS, ParquetWriteOptions.defaults())) {
      String path = lake.uri(dataFileKey);
      deletes.positions().forEach(position -> writer.write(path, position));
      WrittenFile written = writer.finish();
      return new LandedDeletes(
          key,
          key,
          written.recordCount(),
          written.fileSizeBytes(),
          written.footerSize(),
          supersedes);
    }
  }
}
