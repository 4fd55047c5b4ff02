package dev.sluice.activities.lake;

/**
 * What a write did.
 *
 * @param outcome how the snapshot came to be
 * @param snapshotId the snapshot that shows it; with {@link Outcome#NOTHING_TO_DO} the one that was
 *     looked at
 * @param inserted rows that are new
 * @param updated rows that have new values
 * @param deleted rows that are gone
 * @param files data files added
 * @param bytes their size
 */
public record WriteResult(
    Outcome outcome,
    long snapshotId,
    long inserted,
    long updated,
    long deleted,
    long files,
    long bytes) {

  /** How the snapshot came to be. */
  public enum Outcome {
    COMMITTED,
    /** An earlier write of the same batch had made it; the counts are zero. */
    ALREADY_COMMITTED,
    /** No row was concerned: there is no new snapshot. */
    NOTHING_TO_DO
  }

  static WriteResult nothing(long snapshotId) {
    return new WriteResult(Outcome.NOTHING_TO_DO, snapshotId, 0, 0, 0, 0, 0);
  }

  static WriteResult repeated(long snapshotId) {
    return new WriteResult(Outcome.ALREADY_COMMITTED, snapshotId, 0, 0, 0, 0, 0);
  }
}
