package dev.sluice.catalog.commit;

/**
 * The answer to a commit.
 *
 * @param snapshotId the snapshot that holds the changes
 * @param outcome whether this call made it
 * @param tries transactions used by this call, at least 1
 */
public record CommitResult(long snapshotId, Outcome outcome, int tries) {

  /** How the snapshot came to be. */
  public enum Outcome {
    COMMITTED,
    /** An earlier request with the same key had made it. */
    ALREADY_COMMITTED,
    /** Nothing to change: no snapshot was made, {@code snapshotId} is the newest one. */
    NOTHING_TO_DO
  }
}
