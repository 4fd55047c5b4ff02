package dev.sluice.worker.cli;

import dev.sluice.catalog.TableName;
import java.util.List;
import java.util.Map;
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

  private static final List<String> KEYWORDS = List.of("at", "where", "columns", "limit");

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
    WordArguments arguments = WordArguments.of("scan", words, KEYWORDS);
    Map<String, String> said = arguments.values();
    return new ScanOptions(
        arguments.table(),
        at == null ? said.get("at") : at,
        where == null ? said.get("where") : where,
        split(columns == null ? said.get("columns") : columns),
        limit == null ? said.get("limit") : limit);
  }

  /** Names between commas; none for null. */
  static List<String> split(@Nullable String columns) {
    return columns == null ? List.of() : QuotedNames.list(columns);
  }
}
