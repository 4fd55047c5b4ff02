package dev.sluice.activities.query;

import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageLocation;
import java.nio.file.Path;
import java.util.Collection;

/** Makes files of a lake readable on this machine. Thread-safe. */
public interface DataFiles {

  /**
   * Makes files readable and keeps them until the lease is closed.
   *
   * @throws QueryException if one is missing, has another size than expected or cannot be fetched
   */
  Lease lease(Collection<WantedFile> files);

  /**
   * The files of a store, read where they are or copied on demand into a folder of the caller's.
   *
   * @param folder belongs to the result alone; the caller removes it afterwards
   * @param maxBytes most bytes that copies take while nobody needs them
   */
  static DataFiles of(ObjectStore store, Path folder, long maxBytes) {
    return switch (store.location()) {
      case StorageLocation.Local local -> new LocalDataFiles(folder);
      case StorageLocation.S3 s3 -> new CachedDataFiles(store, folder, maxBytes);
    };
  }

  /** How many bytes a reader should ask for at a time. */
  long leaseBytes();

  /**
   * A file of a lake.
   *
   * @param path full path as the catalog has it
   * @param sizeBytes exact size as the catalog has it
   */
  record WantedFile(String path, long sizeBytes) {}

  /** Files that may be read until it is closed. */
  interface Lease extends AutoCloseable {

    /** Where the file is on this machine; the name holds no character that DuckDB expands. */
    Path local(String path);

    @Override
    void close();
  }
}
