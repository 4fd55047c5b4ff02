package dev.sluice.activities.landing;

import dev.sluice.activities.parquet.FooterSource;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.ParquetRefusedException;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.ObjectTail;
import dev.sluice.activities.storage.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the rows of one source object by its own footer. Whatever stands in the way is left for
 * the verification to find, which reads the footer then and says what is wrong. To be run once.
 */
final class SourceFooter implements Runnable {

  private final ObjectStore store;
  private final LandingFile file;
  private volatile @Nullable Long rows;

  SourceFooter(ObjectStore store, LandingFile file) {
    this.store = store;
    this.file = file;
  }

  /** Rows of the version that was listed; null when another one was found, or none. */
  @Nullable Long rows() {
    return rows;
  }

  @Override
  public void run() {
    Version version = new Version();
    try {
      long counted = new ParquetFooters(version, 1).read(file.sourceKey()).rows();
      rows = version.listed ? counted : null;
    } catch (StorageException | ParquetRefusedException leftForVerification) {
      rows = null;
    }
  }

  /** Reads by ranges; all of them have to be of the version that was listed. */
  private final class Version implements FooterSource {
    private boolean listed;

    @Override
    public Tail tail(String key, int length) {
      ObjectTail tail = store.tail(key, length);
      listed = tail.etag() != null && tail.etag().equals(file.etag());
      return new Tail(tail.bytes(), tail.sizeBytes());
    }

    @Override
    public byte[] read(String key, long offset, int length) {
      // a range of its own may be of a later version, and does not tell
      listed = false;
      return store.read(key, offset, length);
    }
  }
}
