package dev.sluice.worker.config;

import org.jspecify.annotations.Nullable;

/**
 * The configuration cannot be used. Not retryable, no conflict, and nothing was done. Messages name
 * the key and hold no secret.
 */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigurationException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
