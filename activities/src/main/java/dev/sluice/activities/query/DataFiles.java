package dev.sluice.activities.query;

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
