package dev.sluice.activities.lake;

import dev.sluice.catalog.NewDataFile;
import dev.sluice.catalog.commit.Change;
import java.util.List;

/**
 * What a write shall commit, its objects already stored.
 *
 * @param changes the changes; empty when no row is concerned
 * @param files the data files among them
 * @param inserted rows that are new
 * @param updated rows that have new values
 * @param deleted rows that are gone
 */
record PlannedWrite(
    List<Change> changes, List<NewDataFile> files, long inserted, long updated, long deleted) {

  /** No row is concerned. */
  static final PlannedWrite NOTHING = new PlannedWrite(List.of(), List.of(), 0, 0, 0);

  PlannedWrite {
    changes = List.copyOf(changes);
    files = List.copyOf(files);
  }

  WriteResult result(long snapshotId) {
    return new WriteResult(
        WriteResult.Outcome.COMMITTED,
        snapshotId,
        inserted,
        updated,
        deleted,
        files.size(),
        files.stream().mapToLong(NewDataFile::fileSizeBytes).sum());
  }
}
