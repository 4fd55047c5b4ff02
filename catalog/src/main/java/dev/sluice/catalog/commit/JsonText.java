package dev.sluice.catalog.commit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a text is JSON (RFC 8259), to the letter: what every reader takes for JSON, DuckDB takes
 * as well.
 */
final class JsonText {

  /** What every parser follows, ours by recursion. */
  private static final int MOST_LEVELS = 100;

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,99})(\\.[0-9]{1,99})?([eE][+-]?[0-9]{1,2})?");

  /** Half of a surrogate pair has no UTF-8. */
  private static final Pattern STRING =
      Pattern.compile(
          "\"([^\"\\\\\\p{Cntrl}\\p{Cs}]|\\\\[\"\\\\/bfnrt]"
              + "|\\\\u([0-9a-cA-CefEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})"
              + "|\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2})*+\"");

  private static final Pattern WORD = Pattern.compile("true|false|null");
  private static final Pattern BLANKS = Pattern.compile("[ \\t\\r\\n]*+");

  private final String text;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  static boolean isValid(String text) {
    JsonText json = new JsonText(text);
    return json.value(0) && json.at == text.length();
  }

  /** Takes a value with the blanks around it. */
  private boolean value(int level) {
    take(BLANKS);
    boolean taken = take(WORD) || take(NUMBER) || take(STRING) || array(level) || object(level);
    take(BLANKS);
    return taken;
  }

  private boolean array(int level) {
    if (level == MOST_LEVELS || !take('[')) {
      return false;
    }
    take(BLANKS);
    if (take(']')) {
      return true;
    }
    do {
      if (!value(level + 1)) {
        return false;
      }
    } while (take(','));
    return take(']');
  }

  private boolean object(int level) {
    if (level == MOST_LEVELS || !take('{')) {
      return false;
    }
    take(BLANKS);
    if (take('}')) {
      return true;
    }
    do {
      take(BLANKS);
      if (!take(STRING)) {
        return false;
      }
      take(BLANKS);
      if (!take(':') || !value(level + 1)) {
        return false;
      }
    } while (take(','));
    return take('}');
  }

  private boolean take(char mark) {
    boolean found = at < text.length() && text.charAt(at) == mark;
    at += found ? 1 : 0;
    return found;
  }

  private boolean take(Pattern pattern) {
    Matcher match = pattern.matcher(text).region(at, text.length());
    boolean found = match.lookingAt();
    at = found ? match.end() : at;
    return found;
  }
}
