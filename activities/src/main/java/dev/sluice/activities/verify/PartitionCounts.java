package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares rows per value of a partition column: every value of either side counts. */
final class PartitionCounts {

  static final String DESCRIPTION = "rows per partition value, and per day of dates and timestamps";

  private static final int MOST_IN_WORDS = 5;
  private static final String NULL = "NULL";

  private PartitionCounts() {}

  /**
   * Compares.
   *
   * @param tolerance greatest difference of rows of one value that passes
   */
  static CheckResult compare(
      String name,
      double tolerance,
      Map<Optional<String>, Long> expected,
      Map<Optional<String>, Long> observed) {
    TreeSet<Optional<String>> values =
        new TreeSet<>(
            Comparator.comparing((Optional<String> value) -> value.orElse(""))
                .thenComparing(Optional::isPresent));
    values.addAll(expected.keySet());
    values.addAll(observed.keySet());
    List<Optional<String>> different = new ArrayList<>();
    for (Optional<String> value : values) {
      long difference = expected.getOrDefault(value, 0L) - observed.getOrDefault(value, 0L);
      if (Math.abs(difference) > tolerance) {
        different.add(value);
      }
    }
    return new CheckResult(
        name,
        different.isEmpty(),
        text(observed, different),
        text(expected, different),
        tolerance,
        DESCRIPTION,
        null,
        null);
  }

  private static String text(Map<Optional<String>, Long> counts, List<Optional<String>> different) {
    if (different.isEmpty()) {
      return counts.size() + " values";
    }
    String first =
        different.stream()
            .limit(MOST_IN_WORDS)
            .map(value -> value.orElse(NULL) + ": " + counts.getOrDefault(value, 0L))
            .collect(Collectors.joining(", "));
    return different.size() > MOST_IN_WORDS
        ? "%s, and %d more".formatted(first, different.size() - MOST_IN_WORDS)
        : first;
  }
}
