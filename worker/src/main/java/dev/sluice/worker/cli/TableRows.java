package dev.sluice.worker.cli;

import dev.sluice.activities.query.ScanColumn;
import dev.sluice.activities.query.ScanRows;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Rows for people, laid out in columns. */
final class TableRows implements RowFormat {

  /** So many rows are looked at to find how wide columns are. */
  private static final int ROWS_PER_BLOCK = 500;

  @Override
  public void print(Map<String, Object> head, ScanRows rows, PrintWriter out) {
    List<String> header = rows.columns().stream().map(ScanColumn::name).toList();
    boolean more = true;
    boolean first = true;
    while (more) {
      TextTable block = new TextTable(header);
      int inBlock = 0;
      while (inBlock < ROWS_PER_BLOCK && (more = rows.next())) {
        block.row(rows.row().stream().map(text -> text == null ? "NULL" : text).toArray());
        inBlock++;
      }
      if (first || inBlock > 0) {
        block.lines().stream().skip(first ? 0 : 1).forEach(out::println);
      }
      first = false;
    }
  }
}
