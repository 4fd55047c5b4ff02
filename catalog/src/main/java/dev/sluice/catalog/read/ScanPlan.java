package dev.sluice.catalog.read;

import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import java.util.List;

/**
 * What to read for a table at a snapshot. Files that surely hold no matching row are left out; the
 * predicate must still be applied to every row of the others and to the inlined rows.
 *
 * @param snapshot the snapshot
 * @param table the table as of the snapshot
 * @param predicate the condition the plan was pruned with
 * @param files the files to read
 * @param inlinedRows rows from the catalog, one element per inlined table that has any
 * @param liveFiles number of live files before pruning
 */
public record ScanPlan(
    Snapshot snapshot,
    Table table,
    Predicate predicate,
    List<ScanFile> files,
    List<InlinedRows> inlinedRows,
    int liveFiles) {

  /** Copies the lists. */
  public ScanPlan {
    files = List.copyOf(files);
    inlinedRows = List.copyOf(inlinedRows);
  }
}
