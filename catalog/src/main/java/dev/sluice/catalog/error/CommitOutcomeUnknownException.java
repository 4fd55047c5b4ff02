package dev.sluice.catalog.error;

import org.jspecify.annotations.Nullable;

/**
 * COMMIT was sent and its answer was lost. Nothing may be cleaned up; the next attempt with the
 * same key finds out.
 */
public final class CommitOutcomeUnknownException extends CatalogException {

  private static final long serialVersionUID = 1L;

  CommitOutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public boolean retryable() {
    return true;
  }

  @Override
  public boolean conflict() {
    return false;
  }

  @Override
  public boolean outcomeKnown() {
    return false;
  }
}
