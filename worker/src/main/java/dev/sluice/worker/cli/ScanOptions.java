package dev.sluice.worker.cli;

import dev.sluice.catalog.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a scan was asked for, from words or options.
 *
 * @param table the table
 * @param at snapshot number or time; null for the newest
 * @param where the condition; null for all rows
 * @param columns the columns; empty for all
 * @param limit most rows to print; null for all
 */
record ScanOptions(
    TableName table,
    @Nullable String at,
    @Nullable String where,
    List<String> columns,
    @Nullable String limit) {

  /** Copies the columns. */
  ScanOptions {
    columns = List.copyOf(columns);
  }

  /** Reads {@code SCHEMA TABLE [at N] [where …] [columns a,b] [limit N]}; options win. */
  static ScanOptions of(
      List<String> words,
      @Nullable String at,
      @Nullable String where,
      @Nullable String columns,
      @Nullable String limit) {
    TableName table = TableArguments.first(words);
    ScanOptions options = new ScanOptions(table, at, where, split(columns), limit);
    List<String> rest = words.subList(TableArguments.length(words), words.size());
    for (int i = 0; i < rest.size(); ) {
      int end = i + 1;
      String keyword = rest.get(i).toLowerCase(Locale.ROOT);
      // a condition may be several words when the shell has taken its quotes
      while (end < rest.size() && (end == i + 1 || !isKeyword(rest.get(end)))) {
        end++;
      }
      if (!isKeyword(keyword) || end == i + 1) {
        throw CommandErrors.badWords(rest.get(i));
      }
      options = options.with(keyword, String.join(" ", rest.subList(i + 1, end)));
      i = end;
    }
    return options;
  }

  private ScanOptions with(String keyword, String value) {
    return switch (keyword) {
      case "at" -> new ScanOptions(table, at == null ? value : at, where, columns, limit);
      case "where" -> new ScanOptions(table, at, where == null ? value : where, columns, limit);
      case "columns" ->
          new ScanOptions(table, at, where, columns.isEmpty() ? split(value) : columns, limit);
      case "limit" -> new ScanOptions(table, at, where, columns, limit == null ? value : limit);
      default -> throw CommandErrors.badWords(keyword);
    };
  }

  private static boolean isKeyword(String word) {
    return List.of("at", "where", "columns", "limit").contains(word.toLowerCase(Locale.ROOT));
  }

  private static List<String> split(@Nullable String columns) {
    List<String> names = new ArrayList<>();
    if (columns != null) {
      for (String name : columns.split(",", -1)) {
        names.add(name.strip());
      }
    }
    return names;
  }
}
