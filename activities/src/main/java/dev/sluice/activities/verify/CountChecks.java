package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import java.util.List;

/**
 * The checks of depth {@code counts}: the source against what was landed. What is registered is
 * counted once more inside the publishing transaction.
 */
public final class CountChecks {

  private CountChecks() {}

  /** Makes one result per check; all of them, whether or not one fails. */
  public static List<CheckResult> compare(SourceCounts source, SourceCounts landed) {
    return List.of(
        check(
            "row_count",
            "rows by the source's footers against rows by the landed footers",
            source.rows(),
            landed.rows()),
        check(
            "file_count",
            "Parquet files of the source against landed files",
            source.files(),
            landed.files()),
        check(
            "byte_count",
            "size of the source's files against the size of the landed ones",
            source.bytes(),
            landed.bytes()));
  }

  private static CheckResult check(String name, String description, long expected, long observed) {
    return new CheckResult(
        name,
        expected == observed,
        Long.toString(observed),
        Long.toString(expected),
        0,
        description,
        null,
        null);
  }

  /** Says which checks failed and how, for the attempt's error; empty when none did. */
  public static String failures(List<CheckResult> results) {
    return String.join(
        "; ",
        results.stream()
            .filter(result -> !result.passed())
            .map(
                result ->
                    "%s: expected %s but observed %s"
                        .formatted(result.name(), result.expected(), result.observed()))
            .toList());
  }
}
