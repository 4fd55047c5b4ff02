package dev.sluice.worker.cli;

import dev.sluice.catalog.TableName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A table's name and what follows it as words: {@code SCHEMA TABLE [at N] [where …]}.
 *
 * @param table the table
 * @param values the words after each keyword, in lower case
 */
record WordArguments(TableName table, Map<String, String> values) {

  WordArguments {
    values = Map.copyOf(values);
  }

  /**
   * Reads the words of a command.
   *
   * @param command its name, for the error
   * @param keywords those that may follow the table, in any order
   * @throws CommandException for words that are none of these
   */
  static WordArguments of(String command, List<String> words, List<String> keywords) {
    TableName table = TableArguments.first(words);
    List<String> rest = words.subList(TableArguments.length(words), words.size());
    return new WordArguments(table, values(command, rest, keywords));
  }

  /** Reads words that follow no table. */
  static Map<String, String> values(String command, List<String> words, List<String> keywords) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < words.size(); ) {
      int end = i + 1;
      String keyword = words.get(i).toLowerCase(Locale.ROOT);
      // a condition may be several words when the shell has taken its quotes
      while (end < words.size() && (end == i + 1 || !isOne(keywords, words.get(end)))) {
        end++;
      }
      if (!isOne(keywords, keyword) || end == i + 1) {
        throw CommandErrors.badWords(command, words.get(i), keywords);
      }
      values.put(keyword, String.join(" ", words.subList(i + 1, end)));
      i = end;
    }
    return values;
  }

  private static boolean isOne(List<String> keywords, String word) {
    return keywords.contains(word.toLowerCase(Locale.ROOT));
  }
}
