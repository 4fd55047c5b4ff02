package dev.sluice.worker.cli;

import dev.sluice.catalog.TableName;
import java.util.List;

/**
 * Reads a table's name off the arguments, in one word with a dot or in two. A name with a dot of
 * its own is given in double quotes, as in SQL.
 */
final class TableArguments {

  private TableArguments() {}

  /** A name in one word. */
  static TableName parse(String text) {
    int dot = QuotedNames.find('.', text);
    if (dot <= 0 || dot == text.length() - 1) {
      throw CommandErrors.badTableName(text);
    }
    return name(text.substring(0, dot), text.substring(dot + 1), text);
  }

  /** How many of the words the name takes: 1 for {@code a.b}, 2 for {@code a b}. */
  static int length(List<String> words) {
    return QuotedNames.find('.', words.get(0)) > 0 ? 1 : 2;
  }

  /** The name at the beginning of the words. */
  static TableName first(List<String> words) {
    if (length(words) == 1) {
      return parse(words.get(0));
    }
    String all = String.join(" ", words);
    if (words.size() < 2) {
      throw CommandErrors.badTableName(all);
    }
    return name(words.get(0), words.get(1), all);
  }

  private static TableName name(String schema, String table, String text) {
    String plainSchema = QuotedNames.unquoted(schema);
    String plainTable = QuotedNames.unquoted(table);
    if (plainSchema.isEmpty() || plainTable.isEmpty()) {
      throw CommandErrors.badTableName(text);
    }
    return new TableName(plainSchema, plainTable);
  }
}
