package dev.sluice.activities.lake;

import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.parquet.write.PositionDeletes;
import dev.sluice.activities.parquet.write.WrittenFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.commit.Change.NewDeleteFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/** Stores the delete files of one write, several at a time, since each waits for its requests. */
final class DeleteFileWriter {

  /** Also how many files' positions are in memory at a time. */
  private static final int AT_A_TIME = 8;

  private DeleteFileWriter() {}

  /**
   * A file's deleted rows.
   *
   * @param dataFileId the data file
   * @param dataFile its full path
   * @param key where the delete file goes
   * @param ascending all positions, each once
   */
  record Positions(long dataFileId, String dataFile, String key, List<Long> ascending) {
    Positions {
      ascending = List.copyOf(ascending);
    }
  }

  /**
   * Writes one delete file for each.
   *
   * @param files is asked on the calling thread, for the next file when there is room for it
   * @return by data file
   */
  static List<NewDeleteFile> write(String doing, ObjectStore store, Iterator<Positions> files) {
    List<NewDeleteFile> written = new ArrayList<>();
    try {
      Parallel.run(
          () -> files, AT_A_TIME, file -> write(store, file), (file, made) -> written.add(made));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw WriteErrors.interrupted(doing, e);
    }
    written.sort(Comparator.comparingLong(NewDeleteFile::dataFileId));
    return written;
  }

  private static NewDeleteFile write(ObjectStore store, Positions positions) {
    try (PositionDeletes file =
        PositionDeletes.open(store, positions.key(), positions.dataFile())) {
      positions.ascending().forEach(file::add);
      WrittenFile finished = file.finish();
      return new NewDeleteFile(
          positions.dataFileId(),
          finished.path(),
          finished.recordCount(),
          finished.fileSizeBytes(),
          finished.footerSize());
    }
  }
}
