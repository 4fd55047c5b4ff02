package dev.sluice.worker.demo;

import org.jspecify.annotations.Nullable;

/**
 * What the demo was given cannot be used. Not retryable, no conflict, outcome known: nothing was
 * imported.
 */
public final class DemoException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DemoException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
