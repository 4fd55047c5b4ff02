package dev.sluice.workflows.naming;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The rules of policy {@code copy_v2}: those of {@link CopyV1}, but a name longer than 63 is cut at
 * 50 and gets {@code _} and twelve hex digits of a hash. Hashed are the parts that the name is made
 * of, so that long names of two sources differ also where their joined texts do not.
 */
final class CopyV2 {
  private static final int HASH_DIGITS = 12;
  private static final int HEAD_LENGTH = CopyV1.MAX_LENGTH - HASH_DIGITS - 1;

  private CopyV2() {}

  static String identifier(String raw, List<String> parts, String defaultWord) {
    String name = CopyV1.uncut(raw, defaultWord);
    if (name.length() <= CopyV1.MAX_LENGTH) {
      return name;
    }
    String head = name.substring(0, HEAD_LENGTH);
    return (head.endsWith("_") ? head : head + "_") + hash(parts);
  }

  /** Each part is preceded by its length, so that no two lists give the same bytes. */
  private static String hash(List<String> parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
