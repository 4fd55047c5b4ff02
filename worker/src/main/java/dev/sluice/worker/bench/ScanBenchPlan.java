package dev.sluice.worker.bench;

/**
 * What the scan benchmark shall measure.
 *
 * @param files data files of the table
 * @param columns columns of it, the first of which is looked a value up in
 * @param turns how often each side plans; the median counts
 */
public record ScanBenchPlan(int files, int columns, int turns) {

  /** Checks the numbers. */
  public ScanBenchPlan {
    if (files < 1 || columns < 1 || turns < 1) {
      throw new IllegalArgumentException(
          "at least 1 file, column and turn: got %d files, %d columns and %d turns"
              .formatted(files, columns, turns));
    }
  }
}
