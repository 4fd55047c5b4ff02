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
  public static List<CheckResult> compare(
      CheckPlan plan, SourceCounts source, SourceCounts landed) {
    CheckMaker maker = new CheckMaker(plan);
    return List.of(
        maker.compared(
            "row_count",
            "rows by the source's footers against rows by the landed footers",
            source.rows(),
            landed.rows()),
        maker.compared(
            "file_count",
            "Parquet files of the source against landed files",
            source.files(),
            landed.files()),
        maker.compared(
            "byte_count",
            "size of the source's files against the size of the landed ones",
            source.bytes(),
            landed.bytes()));
  }
}
