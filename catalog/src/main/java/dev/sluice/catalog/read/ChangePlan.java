package dev.sluice.catalog.read;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import java.util.List;

/**
 * What to read for the changes of a table between two snapshots, both included. Files may hold rows
 * of other snapshots too: only those count whose snapshot lies in the range.
 *
 * @param from the first snapshot
 * @param to the last snapshot
 * @param table the table as of the last one
 * @param inserted files with rows that came in the range
 * @param insertedInCatalog rows that came in the range and are kept in the catalog
 * @param removed files that may have lost rows in the range
 * @param removedInCatalog rows that were removed from the catalog in the range
 */
public record ChangePlan(
    Snapshot from,
    Snapshot to,
    Table table,
    List<ScanFile> inserted,
    List<InlinedRows> insertedInCatalog,
    List<RemovedRows> removed,
    List<InlinedRows> removedInCatalog) {

  /** Copies the lists. */
  public ChangePlan {
    inserted = List.copyOf(inserted);
    insertedInCatalog = List.copyOf(insertedInCatalog);
    removed = List.copyOf(removed);
    removedInCatalog = List.copyOf(removedInCatalog);
  }
}
