package dev.sluice.activities.storage;

import org.jspecify.annotations.Nullable;

/**
 * A failed operation of an object store. The three questions every error of this project answers:
 *
 * <ul>
 *   <li><b>Retryable?</b> {@link #retryable()}, by kind; the store has already tried several times.
 *   <li><b>Conflict?</b> Only {@link Kind#SOURCE_CHANGED}: list the source again, then repeat.
 *   <li><b>Outcome known?</b> A write that failed may or may not have taken place. Writes replace
 *       whole objects, so repeating one is always safe and nobody has to find out.
 * </ul>
 *
 * The message begins with the location concerned, names problem, reason and remedy, and never holds
 * a secret. Messages are made in {@link StorageErrors} only.
 */
public final class StorageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What went wrong, as far as a caller may want to act on it. */
  public enum Kind {
    /** No object under this key. */
    NOT_FOUND(false),
    /** The bucket, or the root directory of a local store, does not exist. */
    MISSING_BUCKET(false),
    /** The identity is known and lacks a permission. */
    ACCESS_DENIED(false),
    /** The credentials are absent, unknown, expired or do not fit the signature. */
    BAD_CREDENTIALS(false),
    /** The bucket lives in another region than the one configured. */
    WRONG_REGION(false),
    /** Nothing answered under the endpoint's address. */
    UNREACHABLE(true),
    /** The store asked for fewer requests. */
    THROTTLED(true),
    /** The store answered with an internal error or broke the connection off. */
    UNAVAILABLE(true),
    /** The key or location is malformed or would leave the store's root. */
    INVALID_KEY(false),
    /** The requested range begins behind the end of the object. */
    INVALID_RANGE(false),
    /** The source object is no longer the one that was listed. */
    SOURCE_CHANGED(false),
    /** The calling thread was interrupted; its interrupt flag is set. */
    INTERRUPTED(false),
    /** The store answered something that its protocol does not allow or that is not foreseen. */
    UNEXPECTED(false);

    private final boolean retryable;

    Kind(boolean retryable) {
      this.retryable = retryable;
    }
  }

  private final Kind kind;

  StorageException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }

  /** Whether the same call can succeed later without anybody changing anything. */
  public boolean retryable() {
    return kind.retryable;
  }
}
