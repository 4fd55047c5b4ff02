package dev.sluice.workflows.naming;

import java.io.Serial;

/**
 * A name, token or order that cannot be used. Not retryable, no conflict, outcome known: nothing
 * was done. Its message says problem, reason and remedy.
 */
public final class InvalidNameException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  InvalidNameException(String message) {
    super(message);
  }
}
