package dev.sluice.activities.lake;

import org.jspecify.annotations.Nullable;

/**
 * A write that was refused or could not be done. Nothing of it is in the lake.
 *
 * <ul>
 *   <li><b>Retryable?</b> Only {@link Kind#ENGINE_FAILED} and {@link Kind#INTERRUPTED}; the others
 *       fail again until the request changes.
 *   <li><b>Conflict?</b> Never: conflicts are the catalog's {@link
 *       dev.sluice.catalog.error.CommitConflictException}.
 *   <li><b>Outcome known?</b> Always: nothing was committed. An outcome that is not known is the
 *       catalog's {@link dev.sluice.catalog.error.CommitOutcomeUnknownException}.
 * </ul>
 *
 * The message begins with the operation and the table, names problem, reason and remedy, and is
 * made in {@link WriteErrors} only.
 */
public final class WriteException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What went wrong, as far as a caller may want to act on it. */
  public enum Kind {
    /** A column, type, expression or source that does not fit the table. */
    INVALID_REQUEST,
    /** A value that does not fit its column. */
    INVALID_DATA,
    /** A table that this writer cannot write, such as one with a column of type geometry. */
    UNSUPPORTED,
    /** The source could not be read, or DuckDB ran out of something. */
    ENGINE_FAILED,
    /** The calling thread was interrupted; its interrupt flag is set. */
    INTERRUPTED
  }

  private final Kind kind;

  WriteException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }
}
