package dev.sluice.worker.cli;

import dev.sluice.activities.query.ScanRows;
import java.io.PrintWriter;
import java.util.Map;

/** A way to print rows, one by one, so that any number of them can be printed. */
interface RowFormat {

  /**
   * Prints all rows that are left.
   *
   * @param head what a document says before its rows: texts and numbers
   */
  void print(Map<String, Object> head, ScanRows rows, PrintWriter out);
}
