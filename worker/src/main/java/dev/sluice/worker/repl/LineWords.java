package dev.sluice.worker.repl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The words of a line. Quotes of both kinds keep blanks together; a quote inside of quotes is
 * written twice. Single quotes are taken off, as a shell does it; double quotes belong to names, as
 * in SQL, and stay. What follows {@code where} or {@code set} keeps both, since there single quotes
 * mean texts, and what follows {@code sql} is one word.
 *
 * @param words the words, without those that are only blanks
 * @param open whether a quote has no end yet, so that more must follow
 * @param inWord whether the line ends inside of its last word
 * @param begin where the last word begins, or the line's end when it ends behind it
 */
record LineWords(List<String> words, boolean open, boolean inWord, int begin) {

  private static final Set<String> BEFORE_EXPRESSIONS = Set.of("where", "set");
  private static final String SQL = "sql";

  LineWords {
    words = List.copyOf(words);
  }

  /** Reads a line, or several of them that were continued. */
  static LineWords of(String line) {
    String stripped = line.strip();
    if (stripped.toLowerCase(Locale.ROOT).startsWith(SQL + " ")) {
      String statement = stripped.substring(SQL.length()).strip();
      return new LineWords(
          List.of(SQL, statement), isOpen(statement), true, line.indexOf(statement));
    }
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    boolean raw = false;
    char quote = 0;
    int begin = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      begin = inWord ? begin : i;
      if (quote == 0 && Character.isWhitespace(c)) {
        if (inWord) {
          words.add(word.toString());
          raw |= BEFORE_EXPRESSIONS.contains(word.toString().toLowerCase(Locale.ROOT));
          word.setLength(0);
          inWord = false;
        }
      } else if (quote == 0 && isQuote(c)) {
        quote = c;
        inWord = true;
        append(word, c, raw || c == '"');
      } else if (c == quote && i + 1 < line.length() && line.charAt(i + 1) == quote) {
        word.append(c);
        append(word, c, raw || c == '"');
        i++;
      } else if (c == quote) {
        quote = 0;
        append(word, c, raw || c == '"');
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (inWord) {
      words.add(word.toString());
    }
    return new LineWords(words, quote != 0, inWord, inWord ? begin : line.length());
  }

  private static boolean isOpen(String text) {
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote == 0 && isQuote(c)) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      }
    }
    return quote != 0;
  }

  private static boolean isQuote(char c) {
    return c == '"' || c == '\'';
  }

  private static void append(StringBuilder word, char quote, boolean raw) {
    if (raw) {
      word.append(quote);
    }
  }
}
