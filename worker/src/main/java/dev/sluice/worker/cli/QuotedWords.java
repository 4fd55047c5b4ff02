package dev.sluice.worker.cli;

import java.util.ArrayList;
import java.util.List;

/** Splits a text where a character stands outside of double quotes, and takes the quotes off. */
final class QuotedWords {

  private QuotedWords() {}

  /** At least one part; a quote inside of quotes is written twice. */
  static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' && quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
        part.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts;
  }
}
