package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.worker.wiring.Connections;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the newest attempts of all sources. */
@Command(
    name = "jobs",
    mixinStandardHelpOptions = true,
    description = "List the newest attempts of all sources: what ran, how it ended and why.",
    footer = {"", "Examples:", "  ./sluice jobs", "  ./sluice jobs --limit 100 --json"})
final class JobsCommand extends ReadingCommand {

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many to list (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    if (limit < 0) {
      throw CommandErrors.badNumber("limit", Integer.toString(limit));
    }
    try (Connections connections = config.connect()) {
      List<SourceJob> jobs = connections.home().jobs().newest(limit);
      TextTable table =
          new TextTable(
              "STARTED", "TABLE", "GENERATION", "TRY", "STATUS", "ROWS", "SNAPSHOT", "REMARK");
      for (SourceJob job : jobs) {
        table.row(
            JobText.time(job.startedAt()),
            JobText.target(job),
            job.generation(),
            job.key().attempt().number(),
            job.status().word(),
            job.rows(),
            job.snapshotId(),
            JobText.remark(job));
      }
      return new Answer(
          Map.of("jobs", jobs.stream().map(JobText::tree).toList()),
          table.isEmpty() ? List.of("No attempt was ever made.") : table.lines());
    }
  }
}
