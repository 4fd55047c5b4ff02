package dev.sluice.activities.landing;

import dev.sluice.activities.jobs.LandingFiles.Copied;
import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.parallel.Threads;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.TransferMonitor;
import java.util.List;

/**
 * Copies a generation's files below the lake's data path, many at a time, and asks the source
 * meanwhile how many rows they have. Copying a file again is harmless: same source, same key, the
 * same bytes. Thread-safe.
 */
public final class Lander {

  private final ObjectStore source;
  private final ObjectStore lake;
  private final int inFlight;

  /**
   * Copies from the source's store to the lake's.
   *
   * @param inFlight most copies at a time, at least 1
   */
  public Lander(ObjectStore source, ObjectStore lake, int inFlight) {
    this.source = source;
    this.lake = lake;
    this.inFlight = inFlight;
  }

  /** Follows a landing on the calling thread; whatever it throws stops the landing. */
  public interface Progress {

    /** The file lies in the lake's store, complete. */
    void landed(LandingFile file, Copied copied);

    /** A sign of life while nothing completes. */
    void waiting();
  }

  /**
   * Lands the files. When this returns, each was reported as landed.
   *
   * @throws LandingException when a source object is gone or was changed since it was listed, or
   *     arrives with another size
   * @throws dev.sluice.activities.storage.StorageException when a store fails
   * @throws InterruptedException when the caller was interrupted; no copy is running any more
   */
  public void land(List<LandingFile> files, Progress progress) throws InterruptedException {
    Parallel.run(
        files,
        inFlight,
        this::landed,
        new Parallel.Observer<LandingFile, Copied>() {
          @Override
          public void completed(LandingFile file, Copied copied) {
            progress.landed(file, copied);
          }

          @Override
          public void waiting() {
            progress.waiting();
          }
        });
  }

  /** The copy is asked for while the source's footer is: both wait for the store, not for us. */
  private Copied landed(LandingFile file) {
    if (file.etag() == null) {
      copy(file);
      return new Copied(file.sourceKey(), null);
    }
    SourceFooter footer = new SourceFooter(source, file);
    Thread reader = Thread.ofVirtual().start(footer);
    try {
      copy(file);
    } catch (RuntimeException | Error e) {
      reader.interrupt();
      throw e;
    } finally {
      Threads.awaitEnd(reader);
    }
    return new Copied(file.sourceKey(), footer.rows());
  }

  private void copy(LandingFile file) {
    ObjectInfo landed =
        lake.copyFrom(source, file.source(), file.landedKey(), TransferMonitor.NONE);
    if (landed.sizeBytes() != file.sizeBytes()) {
      throw LandingErrors.sizeChanged(
          source.uri(file.sourceKey()), file.sizeBytes(), landed.sizeBytes());
    }
  }
}
