package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.storage.ObjectKeys;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.activities.verify.CheckPlan;
import dev.sluice.activities.verify.CheckPlans;
import dev.sluice.activities.verify.Depth;
import dev.sluice.activities.verify.SqlCheck;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** What the tests of verification have in common, whichever way a generation comes. */
final class CheckedRuns {

  /** Room for files that differ in size. */
  static final int SPARE_BYTES = 500;

  private CheckedRuns() {}

  /** Checks of a depth for every table, and queries beside them. */
  static CheckPlans at(Depth depth, SqlCheck... queries) {
    return (table, source) -> new CheckPlan(depth, null, Map.of(), List.of(queries));
  }

  static SqlCheck check(String name, String sql, long expected, double tolerance) {
    return new SqlCheck(
        name, SqlCheck.parse(sql), "of the test", BigDecimal.valueOf(expected), tolerance);
  }

  /** From now on something else lands in place of a source file, of the same size. */
  static void landInstead(RegisterFixture path, String file, String select) throws SQLException {
    byte[] other = path.parquet(select);
    path.lakeFault =
        lake ->
            FaultyStore.in(
                lake,
                (real, from, object, key) ->
                    ObjectKeys.fileName(object.key()).equals(file)
                        ? real.put(key, PreparedFiles.padded(other, object.sizeBytes()))
                        : real.copyFrom(from, object, key, TransferMonitor.NONE));
  }

  /** What was checked of a source's generation. */
  static List<CheckResult> results(RegisterFixture path, Source source, String generation) {
    return path.checks.of(
        path.attempts(source).stream()
            .filter(job -> job.generation().equals(generation))
            .findFirst()
            .orElseThrow()
            .key());
  }

  /** Names of the checks that failed. */
  static List<String> failed(RegisterFixture path, Source source, String generation) {
    return names(
        results(path, source, generation).stream().filter(each -> !each.passed()).toList());
  }

  static List<String> names(List<CheckResult> checks) {
    return checks.stream().map(CheckResult::name).toList();
  }
}
