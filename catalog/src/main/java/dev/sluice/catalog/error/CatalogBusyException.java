package dev.sluice.catalog.error;

import org.jspecify.annotations.Nullable;

/** Other writers or lock holders were in the way until the bounded tries were used up. */
public final class CatalogBusyException extends CatalogException {

  private static final long serialVersionUID = 1L;

  CatalogBusyException(String message, @Nullable Throwable cause) {
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
