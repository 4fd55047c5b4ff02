package dev.sluice.workflows.naming;

import java.util.Locale;
import java.util.regex.Pattern;

/** The rules of policy {@code copy_v1}: ASCII only, no hash, plain cut. */
final class CopyV1 {
  static final int MAX_LENGTH = 63;
  private static final Pattern OTHERS = Pattern.compile("[^0-9a-zA-Z]+");

  private CopyV1() {}

  static String identifier(String raw, String defaultWord) {
    String name = uncut(raw, defaultWord);
    return name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) : name;
  }

  /** Whether anything of the text would be part of a name. */
  static boolean isUsable(String raw) {
    return !OTHERS.matcher(raw).replaceAll("").isEmpty();
  }

  /** The name, however long. */
  static String uncut(String raw, String defaultWord) {
    // White space is outside the kept characters, so trimming first would change nothing.
    String name = strip(OTHERS.matcher(raw).replaceAll("_")).toLowerCase(Locale.ROOT);
    if (name.isEmpty()) {
      name = defaultWord;
    }
    if (name.charAt(0) >= '0' && name.charAt(0) <= '9') {
      return defaultWord + "_" + name;
    }
    return name;
  }

  private static String strip(String text) {
    int from = text.startsWith("_") ? 1 : 0;
    int to = text.length() - (text.length() > from && text.endsWith("_") ? 1 : 0);
    return text.substring(from, to);
  }
}
