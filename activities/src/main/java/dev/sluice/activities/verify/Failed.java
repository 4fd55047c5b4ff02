package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import java.util.List;
import java.util.stream.Collectors;

/** Says which checks failed and how, for the attempt's error. */
public final class Failed {

  private static final int MOST_IN_WORDS = 5;

  private Failed() {}

  /** Names every failed check, the first of them with what it found; empty when none failed. */
  public static String inWords(List<CheckResult> results) {
    List<CheckResult> failed = results.stream().filter(result -> !result.passed()).toList();
    String first =
        failed.stream().limit(MOST_IN_WORDS).map(Failed::inWords).collect(Collectors.joining("; "));
    return failed.size() <= MOST_IN_WORDS
        ? first
        : failed.stream()
            .skip(MOST_IN_WORDS)
            .map(CheckResult::name)
            .collect(Collectors.joining(", ", first + "; failed too: ", ""));
  }

  private static String inWords(CheckResult result) {
    return result.error() == null
        ? "%s: expected %s but observed %s"
            .formatted(result.name(), result.expected(), result.observed())
        : "%s: %s".formatted(result.name(), result.error());
  }
}
