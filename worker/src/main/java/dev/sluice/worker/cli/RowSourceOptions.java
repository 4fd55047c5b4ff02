package dev.sluice.worker.cli;

import dev.sluice.activities.lake.RowSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command's rows come from: its words, a file or a SELECT. */
final class RowSourceOptions {

  /** How DuckDB and most others spell that there is no value. */
  private static final String NULL = "NULL";

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description =
          "A file of rows; its name ends with csv (it has a header), json, jsonl, ndjson or parquet.")
  private @Nullable Path file;

  @Option(
      names = "--select",
      paramLabel = "SQL",
      description = "A SELECT for DuckDB, such as one over read_csv or read_parquet.")
  private @Nullable String select;

  private List<String> words = List.of();

  /** Takes the words of one row, such as {@code id=1 name=x}; refuses more than one source. */
  void read(String command, List<String> row) {
    words = List.copyOf(row);
    int given = (words.isEmpty() ? 0 : 1) + (file == null ? 0 : 1) + (select == null ? 0 : 1);
    if (given != 1) {
      throw CommandErrors.rowsFrom(command);
    }
    source();
  }

  /** The rows; in words {@code NULL} means no value. */
  RowSource source() {
    if (file != null) {
      return ofFile(file);
    }
    return select == null ? ofWords(words) : new RowSource.Select(select);
  }

  private static RowSource ofFile(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return new RowSource.Csv(file);
    }
    if (name.endsWith(".parquet")) {
      return new RowSource.Parquet(file);
    }
    if (name.endsWith(".json") || name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
      return new RowSource.Json(file);
    }
    throw CommandErrors.unknownRowFile(file);
  }

  private static RowSource ofWords(List<String> words) {
    List<String> columns = new ArrayList<>();
    List<@Nullable String> row = new ArrayList<>();
    for (String word : words) {
      int equals = QuotedNames.find('=', word);
      if (equals <= 0) {
        throw CommandErrors.badValue(word);
      }
      columns.add(QuotedNames.unquoted(word.substring(0, equals)));
      String value = word.substring(equals + 1);
      row.add(value.equals(NULL) ? null : value);
    }
    return new RowSource.Values(columns, List.of(row));
  }
}
