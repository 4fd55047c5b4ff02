package dev.sluice.activities.delta;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Bytes as text, five characters for four bytes (rfc.zeromq.org/spec/32). */
final class Z85 {

  private static final String ALPHABET =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  private static final int BASE = 85;
  private static final long MAX_BLOCK = 0xFFFF_FFFFL;

  private Z85() {}

  /**
   * Decodes text.
   *
   * @param sizeBytes how many bytes are wanted; what follows is padding
   * @return empty when the text is not Z85 or holds fewer bytes
   */
  static Optional<byte[]> decode(String text, int sizeBytes) {
    if (text.length() % 5 != 0 || sizeBytes < 0 || text.length() / 5L * 4 < sizeBytes) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.allocate(text.length() / 5 * 4);
    for (int at = 0; at < text.length(); at += 5) {
      long block = 0;
      for (int i = at; i < at + 5; i++) {
        int digit = ALPHABET.indexOf(text.charAt(i));
        if (digit < 0) {
          return Optional.empty();
        }
        block = block * BASE + digit;
      }
      if (block > MAX_BLOCK) {
        return Optional.empty();
      }
      bytes.putInt((int) block);
    }
    return Optional.of(Arrays.copyOf(bytes.array(), sizeBytes));
  }
}
