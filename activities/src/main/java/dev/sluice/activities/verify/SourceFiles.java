package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.LandingFiles.Counted;
import dev.sluice.activities.landing.GenerationFiles;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.StoredFooters;
import dev.sluice.activities.storage.ObjectStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that a prepared folder has when its landing is verified. It is listed anew: a file that
 * came after the first listing was not landed, and must be missed. Rows are counted by the source's
 * own footers. Where one was read as the file was copied, and the listing shows that very version
 * still, what it said is taken; any other is read now. Not thread-safe.
 */
public final class SourceFiles {

  private final List<LandingFile> files;
  private final Map<String, Counted> counted;
  private final ParquetFooters footers;
  private final Map<String, ParquetFile> read = new HashMap<>();

  /**
   * Lists a folder.
   *
   * @param landingPrefix where its generation landed
   * @param counted what the source told as files were copied, by source key
   * @param inFlight most footers read at a time, at least 1
   * @throws dev.sluice.activities.landing.LandingException when it has no data any more
   * @throws dev.sluice.activities.storage.StorageException when the store fails
   */
  public SourceFiles(
      ObjectStore folder, String landingPrefix, Map<String, Counted> counted, int inFlight) {
    this.files = GenerationFiles.list(folder, landingPrefix).files();
    this.counted = Map.copyOf(counted);
    this.footers = new ParquetFooters(new StoredFooters(folder), inFlight);
  }

  /**
   * Counts them.
   *
   * @throws dev.sluice.activities.parquet.ParquetRefusedException when one cannot be read
   * @throws dev.sluice.activities.storage.StorageException when one is gone, or the store fails
   * @throws InterruptedException when the caller was interrupted
   */
  public SourceCounts counts(ParquetFooters.Progress progress) throws InterruptedException {
    long rows = 0;
    long bytes = 0;
    List<String> unknown = new ArrayList<>();
    for (LandingFile file : files) {
      Counted known = counted.get(file.sourceKey());
      if (known != null && file.listed().isUntouchedSince(known.listed())) {
        rows += known.sourceRows();
        bytes += file.sizeBytes();
      } else {
        unknown.add(file.sourceKey());
      }
    }
    for (ParquetFile file : footers(unknown, progress)) {
      rows += file.rows();
      bytes += file.sizeBytes();
    }
    return new SourceCounts(files.size(), rows, bytes);
  }

  /** The footers of all of them, each read once; throws as {@link #counts} does. */
  public List<ParquetFile> footers(ParquetFooters.Progress progress) throws InterruptedException {
    return footers(files.stream().map(LandingFile::sourceKey).toList(), progress);
  }

  private List<ParquetFile> footers(List<String> keys, ParquetFooters.Progress progress)
      throws InterruptedException {
    List<String> unread = keys.stream().filter(key -> !read.containsKey(key)).toList();
    for (ParquetFile file : footers.readAll(unread, progress)) {
      read.put(file.key(), file);
    }
    return keys.stream().map(read::get).toList();
  }
}
