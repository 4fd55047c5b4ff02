package dev.sluice.activities.query;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what is quoted or commented out in SQL text, as DuckDB's lexer sees it. */
final class SqlQuotes {

  private static final Pattern DOLLAR_TAG = Pattern.compile("\\$(?:[A-Za-z_][A-Za-z0-9_]*)?\\$");

  private SqlQuotes() {}

  /**
   * Where the quoted text or comment that begins here ends; the text's end when it is not closed.
   *
   * @return {@code at} when none begins here
   */
  static int end(String text, int at) {
    char c = text.charAt(at);
    if (c == '\'' || c == '"') {
      boolean escapes = c == '\'' && at > 0 && (text.charAt(at - 1) | 0x20) == 'e';
      return closing(text, at, c, escapes);
    }
    if (text.startsWith("--", at)) {
      int line = text.indexOf('\n', at);
      return line < 0 ? text.length() : line;
    }
    if (text.startsWith("/*", at)) {
      int close = text.indexOf("*/", at + 2);
      return close < 0 ? text.length() : close + 2;
    }
    if (c == '$') {
      Matcher tag = DOLLAR_TAG.matcher(text).region(at, text.length());
      if (tag.lookingAt()) {
        int close = text.indexOf(tag.group(), tag.end());
        return close < 0 ? text.length() : close + tag.group().length();
      }
    }
    return at;
  }

  /** A doubled quote ends one part and begins the next at once, so it needs no rule of its own. */
  private static int closing(String text, int at, char quote, boolean escapes) {
    for (int i = at + 1; i < text.length(); i++) {
      if (escapes && text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == quote) {
        return i + 1;
      }
    }
    return text.length();
  }
}
