package dev.sluice.workflows.naming;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The rules of policy {@code legacy_batch_v1}: the snake case of the batch loader whose tables some
 * teams still have. Letters are ASCII, digits are Unicode's, and a long name keeps both its ends
 * around a hash of the whole.
 */
final class LegacyBatchV1 {
  private static final int MAX_LENGTH = 63;
  private static final int TAG_BYTES = 4;
  private static final int TAG_LENGTH = 6;
  private static final int HEAD_LENGTH = 29;
  private static final int TAIL_LENGTH = MAX_LENGTH - HEAD_LENGTH - TAG_LENGTH;

  private static final String TRANSLATED = "+-*@|";
  private static final String TRANSLATION = "x_xal";
  private static final Pattern OTHERS = Pattern.compile("[^a-zA-Z\\p{Nd}_]+");
  private static final Pattern BEFORE_WORD = Pattern.compile("([^_])([A-Z][a-z]+)");
  private static final Pattern BEFORE_CAPITAL = Pattern.compile("([a-z0-9])([A-Z])");
  private static final Pattern LEADING_DIGIT = Pattern.compile("\\A\\p{Nd}");
  private static final Pattern TRAILING = Pattern.compile("_+\\z");
  private static final Pattern RUNS = Pattern.compile("_+");

  private LegacyBatchV1() {}

  /** Returns the snake case of a name, cut at 63 characters. */
  static String identifier(String raw) {
    String name = snakeCase(raw);
    return name.codePointCount(0, name.length()) > MAX_LENGTH ? shorten(name, trim(raw)) : name;
  }

  /** Returns the snake case of a name, however long. */
  static String snakeCase(String raw) {
    String name = trim(raw);
    if (name.isEmpty()) {
      throw NamingErrors.emptyIdentifier();
    }
    for (int i = 0; i < TRANSLATED.length(); i++) {
      name = name.replace(TRANSLATED.charAt(i), TRANSLATION.charAt(i));
    }
    name = OTHERS.matcher(name).replaceAll("_");
    name = BEFORE_WORD.matcher(name).replaceAll("$1_$2");
    name = BEFORE_CAPITAL.matcher(name).replaceAll("$1_$2").toLowerCase(Locale.ROOT);
    if (LEADING_DIGIT.matcher(name).find()) {
      name = "_" + name;
    }
    name = TRAILING.matcher(name).replaceAll(trailing -> "x".repeat(trailing.group().length()));
    return RUNS.matcher(name).replaceAll("_");
  }

  private static String shorten(String name, String original) {
    byte[] digest = Shake128.digest(original.getBytes(StandardCharsets.UTF_8), TAG_BYTES);
    String tag =
        Base64.getEncoder()
            .withoutPadding()
            .encodeToString(digest)
            .replace('/', 'a')
            .replace('+', 'b')
            .toLowerCase(Locale.ROOT);
    int end = name.length();
    return name.substring(0, name.offsetByCodePoints(0, HEAD_LENGTH))
        + tag
        + name.substring(name.offsetByCodePoints(end, -TAIL_LENGTH));
  }

  private static String trim(String text) {
    int[] points = text.codePoints().toArray();
    int from = 0;
    int to = points.length;
    while (from < to && isSpace(points[from])) {
      from++;
    }
    while (to > from && isSpace(points[to - 1])) {
      to--;
    }
    return new String(points, from, to - from);
  }

  /** Unicode white space, the no-break ones and the separators among the controls included. */
  private static boolean isSpace(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
  }
}
