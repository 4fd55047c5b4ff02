package dev.sluice.activities.storage;

/** Argument checks of ranged reads: a wrong one is a programming error, not a storage error. */
final class Ranges {

  private Ranges() {}

  static void requireValid(long offset, int length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(
          "offset and length must not be negative: %d, %d".formatted(offset, length));
    }
  }

  static void requirePositive(int length) {
    if (length < 1) {
      throw new IllegalArgumentException("length must be positive: " + length);
    }
  }
}
