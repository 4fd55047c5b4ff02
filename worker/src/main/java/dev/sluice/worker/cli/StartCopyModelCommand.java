package dev.sluice.worker.cli;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.ProducerOrder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Copies one version of a model's Delta table. */
@Command(
    name = "copy-model",
    mixinStandardHelpOptions = true,
    description = {
      "Copy a version of a model's Delta table.",
      "While another version of the model is being copied, this one waits for its turn."
    },
    footer = {
      "",
      "Example:",
      "  ./sluice start copy-model --team 2 --query 0198f2d0-1111-7000-8000-000000000001 \\",
      "    --label 'Daily revenue' --location s3://models/team_2/daily_revenue --wait"
    })
final class StartCopyModelCommand extends ReadingCommand {

  @Option(names = "--team", required = true, paramLabel = "NUMBER", description = "Its team.")
  private long team;

  @Option(
      names = "--query",
      required = true,
      paramLabel = "ID",
      description = "The saved query that made it.")
  private String query = "";

  @Option(
      names = "--label",
      required = true,
      paramLabel = "TEXT",
      description = "What it is called; its table is named after that.")
  private String label = "";

  @Option(
      names = "--query-name",
      paramLabel = "NAME",
      defaultValue = "",
      description = "The query's name, for a label of which nothing can be used.")
  private String queryName = "";

  @Option(
      names = "--location",
      required = true,
      paramLabel = "URI",
      description = "Where its Delta table is, e.g. s3://bucket/folder.")
  private String location = "";

  @Option(
      names = "--version",
      paramLabel = "N",
      description = "The version to copy (default: the newest when the copy begins).")
  private @Nullable Long version;

  @Option(
      names = "--job",
      paramLabel = "ID",
      defaultValue = "by-hand",
      description = "The materialization it came from (default: ${DEFAULT-VALUE}).")
  private String job = "";

  @Mixin private StartOptions start = new StartOptions();

  @Override
  Answer answer() {
    RegisterTrigger trigger =
        RegisterTrigger.model(
            team,
            job,
            query,
            queryName,
            label,
            location,
            version == null
                ? ProducerOrder.NEWEST_DELTA_VERSION
                : ProducerOrder.deltaVersion(version),
            null,
            null);
    return StartedImport.answer(start.configuration(), trigger, start.follows() ? err() : null);
  }
}
