package dev.sluice.catalog.read;

/**
 * What the data files of a table hold together at a snapshot.
 *
 * @param files live data files
 * @param rows rows in them, deleted ones included
 * @param bytes their sizes, without delete files
 */
public record TableTotals(long files, long rows, long bytes) {

  /** A table without data files. */
  public static TableTotals none() {
    return new TableTotals(0, 0, 0);
  }
}
