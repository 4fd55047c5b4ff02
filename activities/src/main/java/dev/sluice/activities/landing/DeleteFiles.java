package dev.sluice.activities.landing;

import dev.sluice.activities.delta.DeltaDeletes;
import dev.sluice.activities.parquet.write.PositionDeletes;
import dev.sluice.activities.parquet.write.WrittenFile;
import dev.sluice.activities.storage.ObjectStore;
import org.jspecify.annotations.Nullable;

/**
 * Writes positional delete files (ducklake-format 8.1): the data file's path and the position of a
 * deleted row, positions strictly ascending. Stateless.
 */
final class DeleteFiles {

  private DeleteFiles() {}

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
    try (PositionDeletes writer = PositionDeletes.open(lake, key, lake.uri(dataFileKey))) {
      deletes.positions().forEach(writer::add);
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
