package dev.sluice.activities.storage;

import java.util.List;

/**
 * What became of a delete: every key asked for is either gone or listed as a failure.
 *
 * @param deletedCount keys that are gone now, including those that did not exist before
 * @param failures keys that are still there, or about which the store gave no answer
 */
public record DeleteResult(long deletedCount, List<Failure> failures) {

  /** Copies the list. */
  public DeleteResult {
    failures = List.copyOf(failures);
  }

  /**
   * One key that was not deleted.
   *
   * @param key relative to the store's root
   * @param code the store's code, such as {@code AccessDenied}
   * @param message the store's words
   */
  public record Failure(String key, String code, String message) {}

  /** Whether every key is gone. */
  public boolean complete() {
    return failures.isEmpty();
  }
}
