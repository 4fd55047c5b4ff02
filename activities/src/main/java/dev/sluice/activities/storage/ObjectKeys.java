package dev.sluice.activities.storage;

import java.nio.charset.StandardCharsets;

/**
 * The rules for keys. A key is text relative to a store's root, taken literally: {@code %20} is
 * three characters, {@code +} is a plus sign. A key that we write has non-empty segments separated
 * by single slashes, none of them {@code .} or {@code ..}, no slash at either end and at most 1,024
 * bytes of UTF-8. Foreign stores hold other keys too; those can be read as they were listed.
 */
public final class ObjectKeys {

  /** The limit of S3, in bytes of UTF-8; a local store keeps to it so that a lake can move. */
  static final int MAX_BYTES = 1024;

  private ObjectKeys() {}

  /**
   * Returns the key unchanged when it may be written.
   *
   * @throws StorageException of kind INVALID_KEY naming the key and the rule it breaks
   */
  public static String requireWritable(String key) {
    if (key.isEmpty()) {
      throw StorageErrors.invalidKey(key, "it is empty");
    }
    if (key.startsWith("/")) {
      throw StorageErrors.invalidKey(key, "it begins with a slash");
    }
    if (key.endsWith("/")) {
      throw StorageErrors.invalidKey(key, "it ends with a slash");
    }
    requireSaneText(key);
    requireSaneSegments(key);
    return key;
  }

  /**
   * Joins two key parts with exactly one slash, whether or not the first ends and the second begins
   * with one. An empty part adds nothing.
   */
  public static String join(String parent, String child) {
    String left = stripTrailingSlash(parent);
    String right = child.startsWith("/") ? child.substring(1) : child;
    if (left.isEmpty()) {
      return right;
    }
    return right.isEmpty() ? left : left + "/" + right;
  }

  /** Returns the last segment of a key; empty for a key that ends with a slash. */
  public static String fileName(String key) {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  static String stripTrailingSlash(String text) {
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  static void requireSaneSegments(String key) {
    for (String segment : key.split("/", -1)) {
      switch (segment) {
        case "" -> throw StorageErrors.invalidKey(key, "it holds a double slash");
        case ".", ".." ->
            throw StorageErrors.invalidKey(key, "it holds the segment '" + segment + "'");
        default -> {}
      }
    }
  }

  private static void requireSaneText(String key) {
    if (key.indexOf('\0') >= 0) {
      throw StorageErrors.invalidKey(key.replace("\0", "\\0"), "it holds a zero character");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(key)) {
      throw StorageErrors.invalidKey(
          key.replaceAll("\\p{Cs}", "?"), "it is not valid Unicode (half of a surrogate pair)");
    }
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw StorageErrors.invalidKey(
          key, "it has " + bytes + " bytes of UTF-8 and at most " + MAX_BYTES + " are allowed");
    }
  }
}
