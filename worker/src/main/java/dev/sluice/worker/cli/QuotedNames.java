package dev.sluice.worker.cli;

import java.util.ArrayList;
import java.util.List;

/** Names that may stand in double quotes, a quote inside of them doubled. */
final class QuotedNames {

  private QuotedNames() {}

  /** Where a character is first found outside of quotes; -1 when it is not. */
  static int find(char wanted, String text) {
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && text.startsWith("\"\"", i)) {
        i++;
      } else if (c == '"' && (quoted || i == 0)) {
        // a name that does not begin with a quote may hold one
        quoted = !quoted;
      } else if (c == wanted && !quoted) {
        return i;
      }
    }
    return -1;
  }

  /** The name itself. */
  static String unquoted(String text) {
    return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
        ? text.substring(1, text.length() - 1).replace("\"\"", "\"")
        : text;
  }

  /**
   * A new name. One with a dot that is not quoted most likely means a table with its schema, or a
   * field with its struct, and would become a name with a dot in it.
   *
   * @param what what is named, for the error
   */
  static String fresh(String what, String text) {
    if (find('.', text) >= 0) {
      throw CommandErrors.dottedName(what, text);
    }
    return unquoted(text);
  }

  /** The names of a list with commas between them, without the blanks around them. */
  static List<String> list(String text) {
    return split(',', text);
  }

  /** The names between a separator, without the blanks around them. */
  static List<String> split(char separator, String text) {
    List<String> names = new ArrayList<>();
    String rest = text.strip();
    for (int at = find(separator, rest); at >= 0; at = find(separator, rest)) {
      names.add(unquoted(rest.substring(0, at).strip()));
      rest = rest.substring(at + 1).strip();
    }
    names.add(unquoted(rest));
    return names;
  }
}
