package dev.sluice.activities.landing;

/**
 * A generation that cannot be landed or inspected because of what its folder or files are. Not
 * retryable (the folder has to change), no conflict, outcome known: nothing was published.
 */
public final class LandingException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LandingException(String message) {
    super(message);
  }
}
