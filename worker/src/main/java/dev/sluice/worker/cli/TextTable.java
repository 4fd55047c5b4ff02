package dev.sluice.worker.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lays rows of text out in columns; numbers are set to the right. */
final class TextTable {

  private static final String GAP = "  ";

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... header) {
    this(List.of(header));
  }

  TextTable(List<String> header) {
    this.header = List.copyOf(header);
  }

  /** Adds a row; an absent value is shown as a dash. */
  void row(@Nullable Object... values) {
    List<String> texts = new ArrayList<>();
    for (Object value : values) {
      texts.add(value == null ? "-" : oneLine(value.toString()));
    }
    rows.add(List.copyOf(texts));
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The lines, the header first. */
  List<String> lines() {
    int columns = header.size();
    List<Integer> widths = new ArrayList<>();
    List<Boolean> numeric = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      int column = i;
      widths.add(
          Math.max(
              length(header.get(i)),
              rows.stream().mapToInt(row -> length(row.get(column))).max().orElse(0)));
      numeric.add(!rows.isEmpty() && rows.stream().allMatch(row -> isNumber(row.get(column))));
    }
    List<String> lines = new ArrayList<>();
    lines.add(line(header, widths, numeric));
    rows.forEach(row -> lines.add(line(row, widths, numeric)));
    return lines;
  }

  private static String line(List<String> row, List<Integer> widths, List<Boolean> numeric) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      String text = row.get(i);
      String padding = " ".repeat(widths.get(i) - length(text));
      line.append(i == 0 ? "" : GAP);
      line.append(numeric.get(i) ? padding + text : text + padding);
    }
    return line.toString().stripTrailing();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static boolean isNumber(String text) {
    return text.equals("-") || text.matches("-?[0-9][0-9,.]*( [kMGT]?B)?");
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\R", " ");
  }
}
