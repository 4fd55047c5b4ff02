package dev.sluice.catalog.commit;

import dev.sluice.catalog.Snapshot;

/**
 * Hands out ids from the counters of the newest snapshot and says what the counters of ours must be
 * (ducklake-format 2.1). Counters only rise. Not thread-safe.
 */
final class IdAllocator {

  private final Snapshot newest;
  private long nextCatalogId;
  private long nextFileId;
  private boolean schemaChanged;
  private boolean statisticsChanged;

  IdAllocator(Snapshot newest) {
    this.newest = newest;
    this.nextCatalogId = newest.nextCatalogId();
    this.nextFileId = newest.nextFileId();
  }

  /** The snapshot of this commit. */
  long snapshotId() {
    return newest.id() + 1;
  }

  /** An id for a schema, table, view or partition spec. */
  long catalogId() {
    return nextCatalogId++;
  }

  /** An id for a data file, delete file or mapping: they share one space. */
  long fileId() {
    return nextFileId++;
  }

  /** Catalog rows change: readers cache them by schema version. */
  void schemaChanges() {
    schemaChanged = true;
  }

  /** Table statistics change: readers cache them by the next file id. */
  void statisticsChange() {
    statisticsChanged = true;
  }

  long schemaVersion() {
    return schemaChanged ? newest.schemaVersion() + 1 : newest.schemaVersion();
  }

  long nextCatalogId() {
    return nextCatalogId;
  }

  long nextFileId() {
    return statisticsChanged ? Math.max(nextFileId, newest.nextFileId() + 1) : nextFileId;
  }
}
