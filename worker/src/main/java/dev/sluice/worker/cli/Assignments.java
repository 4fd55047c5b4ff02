package dev.sluice.worker.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads {@code a = 1, "b c" = upper(d)}: new values of columns, each an expression. */
final class Assignments {

  private Assignments() {}

  /** Expressions by column, in order. */
  static Map<String, String> parse(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    int begin = 0;
    int depth = 0;
    char quote = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      if (quote != 0 && i < text.length()) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '(' || c == '[' || c == '{') {
        depth++;
      } else if (c == ')' || c == ']' || c == '}') {
        depth--;
      } else if (c == ',' && (depth == 0 || i == text.length())) {
        add(values, text.substring(begin, i));
        begin = i + 1;
      }
    }
    return values;
  }

  private static void add(Map<String, String> values, String assignment) {
    int equals = QuotedNames.find('=', assignment.strip());
    if (equals <= 0 || assignment.strip().length() == equals + 1) {
      throw CommandErrors.badAssignment(assignment.strip());
    }
    String column = QuotedNames.unquoted(assignment.strip().substring(0, equals).strip());
    String before = values.put(column, assignment.strip().substring(equals + 1).strip());
    if (before != null) {
      throw CommandErrors.badAssignment(assignment.strip());
    }
  }
}
