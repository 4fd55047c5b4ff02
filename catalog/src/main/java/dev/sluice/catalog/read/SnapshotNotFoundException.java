package dev.sluice.catalog.read;

/**
 * The asked snapshot is not there: never made, or expired. Not retryable, not a conflict, outcome
 * known (reading changes nothing).
 */
public final class SnapshotNotFoundException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SnapshotNotFoundException(String message) {
    super(message);
  }
}
