package dev.sluice.catalog.read;

/** The snapshot has no such table. Not retryable, not a conflict, outcome known. */
public final class TableNotFoundException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  TableNotFoundException(String message) {
    super(message);
  }
}
