package dev.sluice.activities.delta;

import org.jspecify.annotations.Nullable;

/**
 * A Delta table that cannot be read.
 *
 * <ul>
 *   <li><b>Retryable?</b> {@link #retryable()}: only {@link Kind#LOG_NOT_READY}, which is over as
 *       soon as the producer has written its log.
 *   <li><b>Conflict?</b> Never: only reads are done here.
 *   <li><b>Outcome known?</b> Nothing was written.
 * </ul>
 *
 * The message begins with the table's location, names problem, reason and remedy, and is made in
 * {@link DeltaErrors} only. What the object store itself refuses stays a {@link
 * dev.sluice.activities.storage.StorageException}.
 */
public final class DeltaException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What went wrong, as far as a caller may want to act on it. */
  public enum Kind {
    /** No object below {@code _delta_log/}: a wrong location, or no Delta table. */
    NOT_A_DELTA_TABLE(false),
    /** There is a log, but no version of it can be built yet, as while it is being rewritten. */
    LOG_NOT_READY(true),
    /** The version asked for is not, or no longer, in the log. */
    NO_SUCH_VERSION(false),
    /** The table needs a reader that knows a feature which this one does not. */
    UNSUPPORTED_FEATURE(false),
    /** A file of the log is missing or unreadable. */
    LOG_BROKEN(false),
    /** A column of a type that cannot be carried over, or a schema that contradicts itself. */
    UNSUPPORTED_COLUMN(false),
    /** The log's entry of a data file cannot be used: outside the table, or a bad value. */
    BAD_FILE_ENTRY(false),
    /** A deletion vector is missing, damaged, or not the one that the log describes. */
    BROKEN_DELETES(false),
    /** The calling thread was interrupted; its interrupt flag is set. */
    INTERRUPTED(false);

    private final boolean retryable;

    Kind(boolean retryable) {
      this.retryable = retryable;
    }
  }

  private final Kind kind;

  DeltaException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }

  /** Whether the same call can succeed later without anybody repairing anything. */
  public boolean retryable() {
    return kind.retryable;
  }
}
