package dev.sluice.activities.query;

import org.jspecify.annotations.Nullable;

/**
 * A scan failed. Reading changes nothing, so the outcome is always known and a scan may be
 * repeated; {@link #kind} tells whether that can help. Never a conflict.
 */
public final class QueryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Kind kind;

  QueryException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }

  /** What went wrong; only INTERRUPTED and FILE_UNAVAILABLE may pass by themselves. */
  public enum Kind {
    /** The request does not fit the table. */
    INVALID_REQUEST,
    /** A data file is missing or has another size than is written down. */
    WRONG_FILE,
    /** A data file cannot be fetched. */
    FILE_UNAVAILABLE,
    /** DuckDB could not read or convert the data. */
    UNREADABLE_DATA,
    /** The thread was interrupted. */
    INTERRUPTED
  }
}
