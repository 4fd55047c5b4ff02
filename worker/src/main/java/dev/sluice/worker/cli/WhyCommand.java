package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.SourceEvent;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceStatus;
import dev.sluice.catalog.TableName;
import dev.sluice.worker.wiring.Connections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Explains why a table is as it is. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = "Explain why a table is as it is: its source, the last attempts, what happened.",
    footer = {"", "Example:", "  ./sluice why insights_data_imports_team_1.stripe_invoices"})
final class WhyCommand extends ReadingCommand {

  private static final int EVENTS = 10;

  @Parameters(arity = "1..2", paramLabel = "TABLE", description = "SCHEMA.TABLE, or SCHEMA TABLE.")
  private List<String> words = new ArrayList<>();

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    TableName table = TableArguments.first(words);
    try (Connections connections = config.connect()) {
      List<SourceStatus> statuses =
          connections.home().statuses().ofTable(table.schema(), table.table());
      if (statuses.isEmpty()) {
        throw CommandErrors.unknownTable(table, connections.home());
      }
      List<Object> trees = new ArrayList<>();
      List<String> lines = new ArrayList<>();
      for (SourceStatus status : statuses) {
        List<SourceEvent> events = connections.home().events().newest(status.source(), EVENTS);
        Map<String, @Nullable Object> tree = JobText.tree(status, events);
        tree.put("lake", status.target() == null ? null : status.target().lake());
        trees.add(tree);
        lines.addAll(explain(table, status, events));
      }
      Map<String, @Nullable Object> whole = new LinkedHashMap<>();
      whole.put("schema", table.schema());
      whole.put("table", table.table());
      whole.put("sources", trees);
      return new Answer(whole, lines);
    }
  }

  private static List<String> explain(
      TableName table, SourceStatus status, List<SourceEvent> events) {
    List<String> lines = new ArrayList<>();
    lines.add(table + ": " + status.readiness().word() + " - " + status.why());
    lines.add("  source      " + status.source());
    addAttempt(lines, "latest", status.latest());
    addAttempt(lines, "completed", status.completed());
    if (status.pending() != null) {
      lines.add(
          "  pending     generation "
              + status.pending().trigger().generation()
              + ", since "
              + JobText.time(status.pending().receivedAt()));
    }
    lines.add("  what happened, newest first:");
    TextTable history = new TextTable("AT", "EVENT", "ATTEMPT", "REASON");
    for (SourceEvent event : events) {
      history.row(JobText.time(event.at()), event.kind().word(), event.attemptId(), event.reason());
    }
    history.lines().forEach(line -> lines.add("    " + line));
    return lines;
  }

  private static void addAttempt(List<String> lines, String name, @Nullable SourceJob job) {
    if (job == null) {
      return;
    }
    StringBuilder line = new StringBuilder("  " + name);
    line.append(" ".repeat(14 - line.length()))
        .append("generation ")
        .append(job.generation())
        .append(", try ")
        .append(job.key().attempt().number())
        .append(": ")
        .append(job.status().word());
    if (job.snapshotId() != null) {
      line.append(", ").append(job.rows()).append(" rows at snapshot ").append(job.snapshotId());
    }
    line.append(", started ").append(JobText.time(job.startedAt()));
    if (!JobText.remark(job).isEmpty()) {
      line.append("; ").append(JobText.remark(job));
    }
    lines.add(line.toString());
  }
}
