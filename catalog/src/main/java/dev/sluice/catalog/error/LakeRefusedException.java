package dev.sluice.catalog.error;

import org.jspecify.annotations.Nullable;

/** The lake is missing, damaged, encrypted, or of a format that is not exactly 1.0. */
public final class LakeRefusedException extends CatalogException {

  private static final long serialVersionUID = 1L;

  LakeRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public boolean retryable() {
    return false;
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
