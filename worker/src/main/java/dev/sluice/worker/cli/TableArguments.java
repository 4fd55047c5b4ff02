package dev.sluice.worker.cli;

import dev.sluice.catalog.TableName;
import java.util.List;

/** Reads a table's name off the arguments, in one word with a dot or in two. */
final class TableArguments {

  private TableArguments() {}

  /** A name in one word. */
  static TableName parse(String text) {
    int dot = text.indexOf('.');
    if (dot <= 0 || dot == text.length() - 1) {
      throw CommandErrors.badTableName(text);
    }
    return new TableName(text.substring(0, dot), text.substring(dot + 1));
  }

  /** How many of the words the name takes: 1 for {@code a.b}, 2 for {@code a b}. */
  static int length(List<String> words) {
    return words.get(0).indexOf('.') > 0 ? 1 : 2;
  }

  /** The name at the beginning of the words. */
  static TableName first(List<String> words) {
    if (length(words) == 1) {
      return parse(words.get(0));
    }
    if (words.size() < 2 || words.get(0).isEmpty() || words.get(1).isEmpty()) {
      throw CommandErrors.badTableName(String.join(" ", words));
    }
    return new TableName(words.get(0), words.get(1));
  }
}
