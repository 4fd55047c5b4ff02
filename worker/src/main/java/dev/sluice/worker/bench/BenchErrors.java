package dev.sluice.worker.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;

/** The failures of a benchmark, in words. */
final class BenchErrors {

  private BenchErrors() {}

  static IllegalStateException database(String doing, SQLException cause) {
    return new IllegalStateException(
        "benchmark: %s failed; %s; nothing outside the benchmark's own databases was touched"
            .formatted(doing, cause.getMessage()),
        cause);
  }

  static UncheckedIOException folder(String doing, IOException cause) {
    return new UncheckedIOException(
        "benchmark: %s failed; %s; look for space in the temporary folder"
            .formatted(doing, cause.getMessage()),
        cause);
  }

  static IllegalStateException failed(String doing, Throwable cause) {
    return new IllegalStateException(
        "benchmark: %s failed; %s".formatted(doing, cause.getMessage()), cause);
  }

  static IllegalStateException wrongCount(String what, long expected, long actual) {
    return new IllegalStateException(
        "benchmark: %s: expected %d but counted %d; the figures would mean nothing"
            .formatted(what, expected, actual));
  }
}
