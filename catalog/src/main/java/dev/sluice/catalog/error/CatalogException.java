package dev.sluice.catalog.error;

import org.jspecify.annotations.Nullable;

/**
 * An error of a lake's catalog. Every kind answers three separate questions:
 *
 * <table>
 *   <caption>The answers</caption>
 *   <tr><th>type</th><th>retryable</th><th>conflict</th><th>outcome known</th></tr>
 *   <tr><td>{@link CatalogUnavailableException}</td><td>yes</td><td>no</td><td>yes: nothing written</td></tr>
 *   <tr><td>{@link CatalogBusyException}</td><td>yes</td><td>no</td><td>yes: nothing written</td></tr>
 *   <tr><td>{@link CommitConflictException}</td><td>no, plan again</td><td>yes</td><td>yes: nothing written</td></tr>
 *   <tr><td>{@link InvalidChangeException}</td><td>no</td><td>no</td><td>yes: nothing written</td></tr>
 *   <tr><td>{@link LakeRefusedException}</td><td>no</td><td>no</td><td>yes: nothing written</td></tr>
 *   <tr><td>{@link CommitOutcomeUnknownException}</td><td>yes, the same key</td><td>no</td><td>no</td></tr>
 * </table>
 */
public abstract sealed class CatalogException extends RuntimeException
    permits CatalogUnavailableException,
        CatalogBusyException,
        CommitConflictException,
        InvalidChangeException,
        LakeRefusedException,
        CommitOutcomeUnknownException {

  private static final long serialVersionUID = 1L;

  CatalogException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Whether the same call may succeed later without anybody changing anything. */
  public abstract boolean retryable();

  /** Whether somebody else's commit stands in the way, so that the work has to be planned again. */
  public abstract boolean conflict();

  /** Whether it is certain that nothing was committed. */
  public abstract boolean outcomeKnown();
}
