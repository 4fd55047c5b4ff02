package dev.sluice.activities.verify;

import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.StoredFooters;
import dev.sluice.activities.storage.ObjectStore;
import java.util.List;

/**
 * What the source's own files say, read anew from the source and not from what was landed.
 *
 * @param files files that were counted
 * @param rows rows by their footers
 * @param bytes their size
 */
public record SourceCounts(long files, long rows, long bytes) {

  /**
   * Counts files of the source.
   *
   * @param inFlight most footers read at a time, at least 1
   * @throws dev.sluice.activities.parquet.ParquetRefusedException when one cannot be read
   * @throws dev.sluice.activities.storage.StorageException when one is gone, or the store fails
   * @throws InterruptedException when the caller was interrupted
   */
  public static SourceCounts read(
      ObjectStore source, List<String> keys, int inFlight, ParquetFooters.Progress progress)
      throws InterruptedException {
    return of(new ParquetFooters(new StoredFooters(source), inFlight).readAll(keys, progress));
  }

  /** Counts files whose footers were read. */
  public static SourceCounts of(List<ParquetFile> footers) {
    return new SourceCounts(
        footers.size(),
        footers.stream().mapToLong(ParquetFile::rows).sum(),
        footers.stream().mapToLong(ParquetFile::sizeBytes).sum());
  }
}
