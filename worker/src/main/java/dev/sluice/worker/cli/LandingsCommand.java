package dev.sluice.worker.cli;

import dev.sluice.activities.landing.LandingCleanup;
import dev.sluice.activities.landing.LandingRemains;
import dev.sluice.activities.storage.DeleteResult;
import dev.sluice.activities.temporal.LakeAccess;
import dev.sluice.worker.wiring.Connections;
import dev.sluice.workflows.naming.ByteText;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists, and on demand removes, objects of landings that were never published. */
@Command(
    name = "landings",
    mixinStandardHelpOptions = true,
    description = {
      "List landed objects that no publication took: of stale, failed and quarantined generations,",
      "and leftovers that no ledger row knows. Nothing is removed without --delete."
    },
    footer = {
      "",
      "Never removed: what is younger than the longest attempt, what a catalog row or a scheduled",
      "deletion names, what a running attempt may use.",
      "",
      "Example:",
      "  ./sluice landings --older-than 7d --delete"
    })
final class LandingsCommand extends ReadingCommand {

  private static final int FAILURES_SHOWN = 5;

  @Spec private CommandSpec spec;

  @Option(names = "--delete", description = "Remove them. Without it this is a dry run.")
  private boolean delete;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      defaultValue = "7d",
      description = "Leave younger ones alone, e.g. 7d or 96h; at least 3d (default: 7d).")
  private String olderThan = "7d";

  @Option(names = "--lake", paramLabel = "NAME", description = "Only this lake; default: all.")
  private @Nullable String onlyLake;

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  Answer answer() {
    Duration age = age();
    List<Object> trees = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    TextTable text =
        new TextTable("LAKE", "LANDING", "STATE", "OBJECTS", "SIZE", "VERDICT", "REASON");
    try (Connections connections = config.connect()) {
      List<String> lakes =
          onlyLake == null
              ? List.copyOf(connections.configuration().lakes().keySet())
              : List.of(onlyLake);
      for (String name : lakes) {
        LakeAccess lake = connections.require(name);
        LandingCleanup cleanup =
            new LandingCleanup(
                connections.home().jobs(),
                connections.home().events(),
                lake.catalog(),
                lake.store(),
                lake.state(),
                Clock.systemUTC());
        for (LandingRemains remains : cleanup.find(age)) {
          LandingCleanup.@Nullable Removal removal = delete ? cleanup.remove(remains, age) : null;
          trees.add(tree(name, remains, removal));
          text.row(
              name,
              remains.key().landingId(),
              remains.state(),
              remains.objectKeys().size(),
              ByteText.of(remains.bytes()),
              verdict(remains, removal),
              remains.reason());
          if (removal != null) {
            removal.failures().forEach(failure -> failures.add(line(failure)));
          }
        }
      }
    }
    Map<String, @Nullable Object> whole = new LinkedHashMap<>();
    whole.put("dryRun", !delete);
    whole.put("olderThanHours", age.toHours());
    whole.put("landings", trees);
    return new Answer(whole, lines(text, failures));
  }

  private List<String> lines(TextTable text, List<String> failures) {
    if (text.isEmpty()) {
      return List.of("Every landed object is published, in use or young.");
    }
    List<String> lines = new ArrayList<>(text.lines());
    failures.stream().limit(FAILURES_SHOWN).forEach(lines::add);
    if (failures.size() > FAILURES_SHOWN) {
      lines.add("... and %d more; --json lists all".formatted(failures.size() - FAILURES_SHOWN));
    }
    if (!delete) {
      lines.add("Dry run: nothing was removed; --delete removes what is called removable.");
    }
    return lines;
  }

  private static String line(DeleteResult.Failure failure) {
    return "not deleted: %s (%s: %s)".formatted(failure.key(), failure.code(), failure.message());
  }

  private static String verdict(LandingRemains remains, LandingCleanup.@Nullable Removal removal) {
    return removal == null || remains.verdict() == LandingRemains.Verdict.KEPT
        ? remains.verdict().name().toLowerCase(Locale.ROOT)
        : "%d removed".formatted(removal.removed());
  }

  private static Map<String, @Nullable Object> tree(
      String lake, LandingRemains remains, LandingCleanup.@Nullable Removal removal) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("lake", lake);
    tree.put("landing", remains.key().landingId());
    tree.put("schema", remains.target().schema());
    tree.put("table", remains.target().table());
    tree.put("source", remains.source().schemaId());
    tree.put("generation", remains.generation());
    tree.put("state", remains.state());
    tree.put("objects", remains.objectKeys().size());
    tree.put("bytes", remains.bytes());
    tree.put("verdict", remains.verdict().name().toLowerCase(Locale.ROOT));
    tree.put("reason", remains.reason());
    if (removal != null) {
      tree.put("removed", removal.removed());
      tree.put("kept", removal.kept());
      tree.put("failures", removal.failures().stream().map(LandingsCommand::line).toList());
    }
    return tree;
  }

  private Duration age() {
    Duration age = parsed(olderThan.strip().toLowerCase(Locale.ROOT));
    if (age == null || age.compareTo(LandingCleanup.LONGEST_ATTEMPT) < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--older-than takes days or hours, at least %dd (no attempt lives longer), e.g. 7d or 96h; got '%s'"
              .formatted(LandingCleanup.LONGEST_ATTEMPT.toDays(), olderThan));
    }
    return age;
  }

  private static @Nullable Duration parsed(String text) {
    if (text.length() < 2) {
      return null;
    }
    try {
      long count = Long.parseLong(text.substring(0, text.length() - 1));
      return switch (text.charAt(text.length() - 1)) {
        case 'd' -> Duration.ofDays(count);
        case 'h' -> Duration.ofHours(count);
        default -> null;
      };
    } catch (NumberFormatException | ArithmeticException e) {
      return null;
    }
  }
}
