package dev.sluice.activities.landing;

import java.io.Serial;

/**
 * A file of the pinned version vanished from its source, or became another, while it was copied.
 * Not retryable as it is, no conflict, outcome known: nothing was published. A newer version may
 * well be copied. Its message says problem, reason and remedy.
 */
public final class SourceFilesGoneException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  SourceFilesGoneException(String message, Throwable cause) {
    super(message, cause);
  }
}
