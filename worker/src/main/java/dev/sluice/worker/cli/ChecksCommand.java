package dev.sluice.worker.cli;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceStatus;
import dev.sluice.catalog.TableName;
import dev.sluice.worker.wiring.Connections;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what was checked of a generation before it was, or was not, published. */
@Command(
    name = "checks",
    mixinStandardHelpOptions = true,
    description = {
      "Show the checks of a table's latest attempt, or of a named one; failed ones come first.",
      "Ends with 0 whenever they could be read, whatever they say."
    },
    footer = {
      "",
      "Examples:",
      "  ./sluice checks insights_data_imports_team_1.stripe_invoices",
      "  ./sluice checks insights_data_imports_team_1.stripe_invoices --attempt job-7:1785312000"
    })
final class ChecksCommand extends ReadingCommand {

  /** Attempts of one source that are looked through for a named one. */
  private static final int ATTEMPTS = 1_000;

  @Parameters(arity = "1..2", paramLabel = "TABLE", description = "SCHEMA.TABLE, or SCHEMA TABLE.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--attempt",
      paramLabel = "ATTEMPT",
      description = {
        "JOB:GENERATION for its newest try, or JOB:GENERATION#TRY; as ./sluice why --json has them."
      })
  private @Nullable String attempt;

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
        Optional<SourceJob> job = attempt(connections, status);
        if (job.isPresent()) {
          List<CheckResult> results = sorted(connections.home().checks().of(job.get().key()));
          trees.add(tree(job.get(), results));
          lines.addAll(lines(job.get(), results));
        }
      }
      if (trees.isEmpty() && attempt != null) {
        throw CommandErrors.unknownAttempt(table, attempt);
      }
      Map<String, @Nullable Object> whole = new LinkedHashMap<>();
      whole.put("schema", table.schema());
      whole.put("table", table.table());
      whole.put("attempts", trees);
      return new Answer(whole, lines.isEmpty() ? List.of("No attempt was ever made.") : lines);
    }
  }

  private Optional<SourceJob> attempt(Connections connections, SourceStatus status) {
    String wanted = attempt;
    return wanted == null
        ? Optional.ofNullable(status.latest())
        : connections.home().jobs().history(status.source(), ATTEMPTS).stream()
            .filter(
                job ->
                    job.key().attempt().attemptId().equals(wanted)
                        || job.key().attempt().key().equals(wanted))
            .findFirst();
  }

  private static List<CheckResult> sorted(List<CheckResult> results) {
    return results.stream()
        .sorted(Comparator.comparing(CheckResult::passed).thenComparing(CheckResult::name))
        .toList();
  }

  private static List<String> lines(SourceJob job, List<CheckResult> results) {
    List<String> lines = new ArrayList<>();
    long failed = results.stream().filter(result -> !result.passed()).count();
    lines.add(
        "attempt %s, %s: %s"
            .formatted(
                job.key().attempt().key(),
                job.status().word(),
                results.isEmpty()
                    ? "nothing was checked; it ended, or still is, before its checks"
                    : "%d of %d checks passed".formatted(results.size() - failed, results.size())));
    TextTable text =
        new TextTable("CHECK", "RESULT", "EXPECTED", "OBSERVED", "TOLERANCE", "REMARK");
    for (CheckResult result : results) {
      text.row(
          result.name(),
          result.passed() ? "passed" : "FAILED",
          result.expected(),
          result.observed(),
          tolerance(result),
          result.error() == null ? result.description() : result.error());
    }
    if (!text.isEmpty()) {
      text.lines().forEach(line -> lines.add("  " + line));
    }
    return lines;
  }

  private static @Nullable String tolerance(CheckResult result) {
    return result.tolerance() == 0 ? null : Double.toString(result.tolerance());
  }

  private static Map<String, @Nullable Object> tree(SourceJob job, List<CheckResult> results) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("team", job.key().source().team());
    tree.put("source", job.key().source().schemaId());
    tree.put("attempt", job.key().attempt().attemptId());
    tree.put("number", job.key().attempt().number());
    tree.put("generation", job.generation());
    tree.put("status", job.status().word());
    tree.put("passed", results.stream().allMatch(CheckResult::passed));
    tree.put("checks", results.stream().map(ChecksCommand::tree).toList());
    return tree;
  }

  private static Map<String, @Nullable Object> tree(CheckResult result) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("name", result.name());
    tree.put("passed", result.passed());
    tree.put("observed", result.observed());
    tree.put("expected", result.expected());
    tree.put("tolerance", result.tolerance());
    tree.put("description", result.description());
    tree.put("statement", result.statement());
    tree.put("error", result.error());
    return tree;
  }
}
