package dev.sluice.embedded;

import org.jspecify.annotations.Nullable;

/**
 * A part of the embedded stack could not be started, used or stopped. Never retryable by itself:
 * the message names the problem, its reason and the remedy.
 */
public final class EmbeddedStackException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  EmbeddedStackException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
