package dev.sluice.activities.verify;

import dev.sluice.activities.delta.DeltaFile;
import dev.sluice.activities.delta.DeltaSnapshot;
import dev.sluice.activities.delta.DeltaTable;
import dev.sluice.activities.landing.GoneFiles;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.StoredFooters;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A version of a Delta table as its log tells it now: read anew for a verification, and not from
 * what was planned or landed. Memory follows the number of files. Immutable and thread-safe.
 */
public final class LoggedVersion {

  private final ObjectStore table;
  private final DeltaSnapshot snapshot;
  private final List<LoggedFile> files;

  private LoggedVersion(ObjectStore table, DeltaSnapshot snapshot, List<LoggedFile> files) {
    this.table = table;
    this.snapshot = snapshot;
    this.files = List.copyOf(files);
  }

  /**
   * Reads the log.
   *
   * @param table the table's folder
   * @throws dev.sluice.activities.delta.DeltaException when the log does not tell the version any
   *     more
   */
  public static LoggedVersion read(ObjectStore table, long version) {
    DeltaSnapshot snapshot = DeltaTable.in(table).snapshot(OptionalLong.of(version));
    try (Stream<DeltaFile> logged = snapshot.files()) {
      return new LoggedVersion(
          table, snapshot, logged.filter(LoggedVersion::mayHaveRows).map(LoggedFile::of).toList());
    }
  }

  private static boolean mayHaveRows(DeltaFile file) {
    Long rows = file.liveRecords();
    return rows == null || rows > 0;
  }

  /**
   * Counts by the log, and by the footers of those files whose rows the log does not count.
   *
   * @param inFlight most footers read at a time, at least 1
   * @throws dev.sluice.activities.parquet.ParquetRefusedException when one cannot be read
   * @throws dev.sluice.activities.landing.SourceFilesGoneException when one is gone
   * @throws StorageException when the store fails
   * @throws InterruptedException when the caller was interrupted
   */
  public VersionCounts counts(int inFlight, ParquetFooters.Progress progress)
      throws InterruptedException {
    List<LoggedFile> uncounted = files.stream().filter(file -> file.rows() == null).toList();
    long rows = footers(uncounted, inFlight, progress).stream().mapToLong(ParquetFile::rows).sum();
    long deleted = 0;
    for (LoggedFile file : files) {
      rows += Objects.requireNonNullElse(file.rows(), 0L);
      deleted += file.deletedRows();
    }
    return new VersionCounts(files.size(), rows - deleted, deleted);
  }

  /**
   * The version as the side of a comparison; its files' footers are read now.
   *
   * @param inFlight most footers read at a time, at least 1
   * @throws dev.sluice.activities.parquet.ParquetRefusedException when one cannot be read
   * @throws dev.sluice.activities.landing.SourceFilesGoneException when one is gone
   * @throws StorageException when the store fails
   * @throws InterruptedException when the caller was interrupted
   */
  public SourceSide side(int inFlight, ParquetFooters.Progress progress)
      throws InterruptedException {
    List<ParquetFile> footers = footers(files, inFlight, progress);
    List<DeltaSide.File> found = new ArrayList<>(files.size());
    for (int i = 0; i < footers.size(); i++) {
      found.add(new DeltaSide.File(files.get(i), footers.get(i)));
    }
    return new DeltaSide(
        table, snapshot.columnMapping(), snapshot.columns(), found, this::rethrowIfGone);
  }

  private List<ParquetFile> footers(
      List<LoggedFile> wanted, int inFlight, ParquetFooters.Progress progress)
      throws InterruptedException {
    try {
      return new ParquetFooters(new StoredFooters(table), inFlight)
          .readAll(wanted.stream().map(LoggedFile::key).toList(), progress);
    } catch (StorageException e) {
      rethrowIfGone(e);
      throw e;
    }
  }

  /** Says that files of the version went away, when that is why reading it failed. */
  private void rethrowIfGone(Exception failure) {
    Map<String, Long> sizes = new HashMap<>();
    files.forEach(file -> sizes.put(file.key(), file.sizeBytes()));
    GoneFiles.rethrowIfAny(table, snapshot.version(), sizes, failure);
  }
}
