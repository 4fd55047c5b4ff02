package dev.sluice.worker.cli;

import dev.sluice.worker.demo.DemoReport;
import dev.sluice.worker.demo.PublishedTable;
import dev.sluice.workflows.naming.ByteText;
import java.util.ArrayList;
import java.util.List;

/** What the demo did, for people. */
final class ReportText {

  private ReportText() {}

  /** One line per generation, then the reasons of those that were not simply published. */
  static List<String> tables(DemoReport report) {
    TextTable table =
        new TextTable("TABLE", "BY", "STATUS", "ROWS", "FILES", "SIZE", "SNAPSHOT", "GENERATION");
    List<String> reasons = new ArrayList<>();
    for (PublishedTable each : report.tables()) {
      for (PublishedTable earlier : each.earlier()) {
        add(table, reasons, earlier);
      }
      add(table, reasons, each);
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (!reasons.isEmpty()) {
      lines.add("");
      lines.addAll(reasons);
    }
    return lines;
  }

  /** How to look at the lake with DuckDB. */
  static List<String> attach(DemoReport report) {
    List<String> lines = new ArrayList<>();
    lines.add("Attach the lake in DuckDB (1.5 or newer) while its databases run:");
    report.attach().forEach(statement -> lines.add("  " + statement));
    return lines;
  }

  private static void add(TextTable lines, List<String> reasons, PublishedTable table) {
    String name = table.schema() == null ? table.table() : table.schema() + "." + table.table();
    lines.row(
        name,
        table.path(),
        table.status(),
        table.rows(),
        table.files(),
        table.bytes() == null ? null : ByteText.of(table.bytes()),
        table.snapshot(),
        table.generation());
    if (table.reason() != null) {
      reasons.add(name + ": " + table.reason());
    }
  }
}
