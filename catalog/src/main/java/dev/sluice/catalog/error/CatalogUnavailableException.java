package dev.sluice.catalog.error;

import org.jspecify.annotations.Nullable;

/** The catalog's database cannot be reached or broke off before COMMIT was sent. */
public final class CatalogUnavailableException extends CatalogException {

  private static final long serialVersionUID = 1L;

  CatalogUnavailableException(String message, @Nullable Throwable cause) {
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
    return true;
  }
}
