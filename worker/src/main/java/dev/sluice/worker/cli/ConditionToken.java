package dev.sluice.worker.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A word of a condition.
 *
 * @param kind what it is
 * @param text its value, without quotes
 * @param position where it begins, from 0
 */
record ConditionToken(Kind kind, String text, int position) {

  /** What a token is. */
  enum Kind {
    /** A name or keyword without quotes. */
    WORD,
    /** A name in double quotes. */
    NAME,
    NUMBER,
    /** A text in single quotes. */
    TEXT,
    SYMBOL,
    END
  }

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<word>[\\p{L}_][\\p{L}\\p{N}_]*)"
              + "|\"(?<name>(?:[^\"]|\"\")+)\""
              + "|(?<number>[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
              + "|'(?<text>(?:[^']|'')*)'"
              + "|(?<symbol><=|>=|<>|!=|==|[=<>(),.]))");

  static List<ConditionToken> split(String text) {
    List<ConditionToken> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    int at = 0;
    while (matcher.find(at) && matcher.start() == at) {
      tokens.add(token(matcher));
      at = matcher.end();
    }
    if (!text.substring(at).isBlank()) {
      throw CommandErrors.badCondition(text, at, "not understood");
    }
    tokens.add(new ConditionToken(Kind.END, "", text.length()));
    return tokens;
  }

  private static ConditionToken token(Matcher matcher) {
    if (matcher.group("word") != null) {
      return new ConditionToken(Kind.WORD, matcher.group("word"), matcher.start("word"));
    }
    if (matcher.group("name") != null) {
      return new ConditionToken(
          Kind.NAME, matcher.group("name").replace("\"\"", "\""), matcher.start("name"));
    }
    if (matcher.group("number") != null) {
      return new ConditionToken(Kind.NUMBER, matcher.group("number"), matcher.start("number"));
    }
    if (matcher.group("text") != null) {
      return new ConditionToken(
          Kind.TEXT, matcher.group("text").replace("''", "'"), matcher.start("text"));
    }
    return new ConditionToken(Kind.SYMBOL, matcher.group("symbol"), matcher.start("symbol"));
  }
}
