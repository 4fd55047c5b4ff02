package dev.sluice.activities.delta;

import dev.sluice.activities.storage.ObjectStore;
import java.util.OptionalLong;

/**
 * A Delta table in an object store. Nothing is read when it is made, and every call reads the log
 * anew. Thread-safe; calls stop within one object when their thread is interrupted.
 *
 * <p>One listing of the log is read per call (memory about 200 bytes a log file), then the commits
 * since the last complete checkpoint, in parallel, and the checkpoint. Deletion vectors are read
 * with {@link DeltaDeletes}.
 */
public final class DeltaTable {

  private final ObjectStore folder;

  private DeltaTable(ObjectStore folder) {
    this.folder = folder;
  }

  /**
   * The table whose folder, the one that holds {@code _delta_log/}, is the store's root.
   *
   * @param folder is only read
   */
  public static DeltaTable in(ObjectStore folder) {
    return new DeltaTable(folder);
  }

  /**
   * The newest version.
   *
   * @throws DeltaException of kind NOT_A_DELTA_TABLE, or LOG_NOT_READY (retryable)
   */
  public long latestVersion() {
    return LogListing.of(folder).latest();
  }

  /**
   * Reads what one version is: its columns and properties. Its files are read by {@link
   * DeltaSnapshot#files()}.
   *
   * @param version empty for the newest
   * @throws DeltaException of any kind but BAD_FILE_ENTRY and BROKEN_DELETES
   */
  public DeltaSnapshot snapshot(OptionalLong version) {
    LogListing listing = LogListing.of(folder);
    long wanted = version.orElse(listing.latest());
    listing.requireReadable(wanted);
    return new LogReader(folder, listing, wanted).snapshot();
  }
}
