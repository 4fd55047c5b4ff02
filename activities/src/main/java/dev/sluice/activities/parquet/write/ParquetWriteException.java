package dev.sluice.activities.parquet.write;

import org.jspecify.annotations.Nullable;

/**
 * A file was not written. Nothing is stored under its name, so the outcome is always known; never a
 * conflict. Worth repeating only when the cause is one of storage.
 */
public final class ParquetWriteException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ParquetWriteException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
