package dev.sluice.catalog.read;

/**
 * A predicate names a column that the table does not have, or one that cannot be compared. Not
 * retryable, not a conflict, outcome known.
 */
public final class InvalidPredicateException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  InvalidPredicateException(String message) {
    super(message);
  }
}
