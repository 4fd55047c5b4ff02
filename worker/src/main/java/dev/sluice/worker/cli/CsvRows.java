package dev.sluice.worker.cli;

import dev.sluice.activities.query.ScanColumn;
import dev.sluice.activities.query.ScanRows;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows as comma-separated values (RFC 4180) with a header; every line ends with a line feed. NULL
 * is an empty field, an empty text is {@code ""}.
 */
final class CsvRows implements RowFormat {

  @Override
  public void print(Map<String, Object> head, ScanRows rows, PrintWriter out) {
    line(rows.columns().stream().map(ScanColumn::name).toList(), out);
    while (rows.next()) {
      line(rows.row(), out);
    }
  }

  private static void line(List<@Nullable String> texts, PrintWriter out) {
    out.print(texts.stream().map(CsvRows::field).collect(Collectors.joining(",")));
    out.print('\n');
  }

  private static String field(@Nullable String text) {
    if (text == null) {
      return "";
    }
    boolean quoted =
        text.isEmpty()
            || text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return quoted ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
  }
}
