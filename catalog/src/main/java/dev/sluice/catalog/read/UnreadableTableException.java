package dev.sluice.catalog.read;

/**
 * A table holds something that this reader does not read, so that answering would mean wrong rows.
 * Not retryable, not a conflict, outcome known.
 */
public final class UnreadableTableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnreadableTableException(String message) {
    super(message);
  }

  UnreadableTableException(String message, Throwable cause) {
    super(message, cause);
  }
}
