package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import java.util.List;

/**
 * The checks of depth {@code counts}: the source against what was landed. What is registered is
 * counted once more inside the publishing transaction.
 */
public final class CountChecks {

  /** Checks of copies alone. */
  static final String DELETED_ROWS = "deleted_rows";

  private static final String ROW_COUNT = "row_count";
  private static final String FILE_COUNT = "file_count";

  private CountChecks() {}

  /** Makes one result per check; all of them, whether or not one fails. */
  public static List<CheckResult> compare(
      CheckPlan plan, SourceCounts source, SourceCounts landed) {
    CheckMaker maker = new CheckMaker(plan);
    return List.of(
        maker.compared(
            ROW_COUNT,
            "rows by the source's footers against rows by the landed footers",
            source.rows(),
            landed.rows()),
        maker.compared(
            FILE_COUNT,
            "Parquet files of the source against landed files",
            source.files(),
            landed.files()),
        maker.compared(
            "byte_count",
            "size of the source's files against the size of the landed ones",
            source.bytes(),
            landed.bytes()));
  }

  /**
   * The same for a copy of a version of a Delta table. Rows are those that are content: without the
   * ones that deletion vectors and delete files take away.
   *
   * @param log what the version's log says
   * @param sourceRows rows by the footers of the version's files
   */
  public static List<CheckResult> compare(
      CheckPlan plan, VersionCounts log, long sourceRows, VersionCounts landed) {
    CheckMaker maker = new CheckMaker(plan);
    return List.of(
        maker.compared(
            ROW_COUNT,
            "rows of the version by its log against landed rows, deleted ones apart on both sides",
            log.rows(),
            landed.rows()),
        maker.compared(
            ROW_COUNT + ".source",
            "rows by the source's footers against landed rows, deleted ones apart on both sides",
            sourceRows,
            landed.rows()),
        maker.compared(
            FILE_COUNT,
            "data files with rows of the version against landed files",
            log.files(),
            landed.files()),
        maker.compared(
            DELETED_ROWS,
            "rows that the log says are deleted against those that landed delete files and rewritten"
                + " files leave out",
            log.deletedRows(),
            landed.deletedRows()));
  }
}
