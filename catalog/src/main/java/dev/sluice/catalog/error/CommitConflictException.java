package dev.sluice.catalog.error;

import org.jspecify.annotations.Nullable;

/** A commit made since the changes were planned rules them out. */
public final class CommitConflictException extends CatalogException {

  private static final long serialVersionUID = 1L;

  CommitConflictException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public boolean retryable() {
    return false;
  }

  @Override
  public boolean conflict() {
    return true;
  }

  @Override
  public boolean outcomeKnown() {
    return true;
  }
}
