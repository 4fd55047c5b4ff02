package dev.sluice.activities.query;

import dev.sluice.activities.query.DataFiles.WantedFile;
import dev.sluice.catalog.read.RemovedRows;
import dev.sluice.catalog.read.ScanFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Cuts a plan's files into pieces that are on this machine at the same time. */
final class ScanBatches {

  /** Bounds the length of one statement. */
  private static final int MOST_FILES = 2_000;

  private ScanBatches() {}

  /** Every batch holds at least one file, however large. */
  static List<List<ScanFile>> of(List<ScanFile> files, long bytes) {
    return of(files, file -> wanted(file).mapToLong(WantedFile::sizeBytes).sum(), bytes);
  }

  /**
   * Batches of anything that has a size.
   *
   * @param sizeBytes what reading one of them needs
   */
  static <T> List<List<T>> of(List<T> files, ToLongFunction<T> sizeBytes, long bytes) {
    List<List<T>> batches = new ArrayList<>();
    List<T> batch = new ArrayList<>();
    long size = 0;
    for (T file : files) {
      long fileSize = sizeBytes.applyAsLong(file);
      if (!batch.isEmpty() && (batch.size() == MOST_FILES || size + fileSize > bytes)) {
        batches.add(batch);
        batch = new ArrayList<>();
        size = 0;
      }
      batch.add(file);
      size += fileSize;
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }

  /** What reading a file that lost rows needs. */
  static long sizeBytes(RemovedRows removed) {
    return wanted(removed.file()).mapToLong(WantedFile::sizeBytes).sum();
  }

  /** The objects that reading the file needs. */
  static Stream<WantedFile> wanted(ScanFile file) {
    return Stream.concat(
        Stream.of(new WantedFile(file.path(), file.fileSizeBytes())),
        file.deleteFiles().stream()
            .map(delete -> new WantedFile(delete.path(), delete.fileSizeBytes())));
  }
}
