package dev.sluice.activities.temporal;

import dev.sluice.activities.delta.DeltaFile;
import dev.sluice.activities.delta.DeltaTable;
import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.DeltaFilePlan;
import dev.sluice.activities.landing.DeltaPlan;
import dev.sluice.activities.landing.LandedFacts;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyResult;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares what was landed of a version with its log, read again, and with the footers of its
 * files; a failed check quarantines the landing.
 */
final class CopyVerify {

  private final CheckResults checks;
  private final Lakes lakes;
  private final Sources sources;
  private final Failures failures;

  CopyVerify(CheckResults checks, Lakes lakes, Sources sources, Failures failures) {
    this.checks = checks;
    this.lakes = lakes;
    this.sources = sources;
    this.failures = failures;
  }

  VerifyResult verified(StageInput input) {
    LakeAccess lake = lakes.require(input.preparation().lake());
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    DeltaPlan plan = CopyLand.plan(lake, key);
    Counts log = Counts.ofLog(DeltaTable.in(sources.deltaTable(input.trigger())), plan.version());
    List<LedgerFile> files = lake.state().read(dsl -> LandingFiles.files(dsl, key));
    Counts source = Counts.ofSource(files);
    Counts landed = Counts.ofLanded(files);
    List<CheckResult> results =
        Stream.of(
                check(
                    "files",
                    "data files with rows of the version and landed",
                    log.files(),
                    landed.files()),
                log.rows() == null
                    ? null
                    : check(
                        "row_count",
                        "rows by the log and by the landed files",
                        log.rows(),
                        landed.rows()),
                check(
                    "row_count.source",
                    "rows by the source's footers and by the landed files",
                    source.rows(),
                    landed.rows()),
                check(
                    "deleted_rows",
                    "rows that the log says are deleted, and those left out of the landed files",
                    source.deleted(),
                    landed.deleted()))
            .filter(Objects::nonNull)
            .toList();
    checks.store(Attempts.key(input), results);
    String failed =
        results.stream()
            .filter(result -> !result.passed())
            .map(
                result ->
                    "%s is %s where %s is right"
                        .formatted(result.name(), result.observed(), result.expected()))
            .collect(Collectors.joining(", "));
    if (!failed.isEmpty()) {
      String message =
          "%s.%s: version %d is not what the source has; %s; the landed files are quarantined and the live table is untouched; copy the version again"
              .formatted(
                  input.preparation().schema(),
                  input.preparation().table(),
                  plan.version(),
                  failed);
      Attempts.changeLanding(lake, input, dsl -> LandingLedger.quarantine(dsl, key, message));
      throw failures.verificationFailed(message);
    }
    Attempts.changeLanding(
        lake, input, dsl -> LandingLedger.advance(dsl, key, LandingLedger.LandingState.VERIFIED));
    return new VerifyResult(results.size(), Objects.requireNonNull(landed.rows(), "rows"));
  }

  private static CheckResult check(
      String name, String description, @Nullable Long expected, @Nullable Long observed) {
    return new CheckResult(
        name,
        expected != null && expected.equals(observed),
        String.valueOf(observed),
        String.valueOf(expected),
        0,
        description,
        null,
        null);
  }

  /**
   * What one side says.
   *
   * @param files files with rows that are content
   * @param rows those rows; null when the log does not count them
   * @param deleted rows of the files that are no content
   */
  private record Counts(long files, @Nullable Long rows, long deleted) {

    static Counts ofLog(DeltaTable table, long version) {
      long files = 0;
      Long rows = 0L;
      long deleted = 0;
      try (Stream<DeltaFile> logged = table.snapshot(OptionalLong.of(version)).files()) {
        for (DeltaFile file : (Iterable<DeltaFile>) logged::iterator) {
          Long live = file.liveRecords();
          if (live == null || live > 0) {
            files++;
            rows = rows == null || live == null ? null : Long.valueOf(rows + live);
            deleted += file.deletionVector() == null ? 0 : file.deletionVector().cardinality();
          }
        }
      }
      return new Counts(files, rows, deleted);
    }

    static Counts ofSource(List<LedgerFile> files) {
      long rows = 0;
      long deleted = 0;
      for (LedgerFile file : files) {
        DeltaFilePlan plan = DeltaFilePlan.parse(Objects.requireNonNull(file.plan(), "plan"));
        deleted += plan.deletedCount();
        rows += facts(file).sourceRows() - plan.deletedCount();
      }
      return new Counts(files.size(), rows, deleted);
    }

    static Counts ofLanded(List<LedgerFile> files) {
      long rows = 0;
      long deleted = 0;
      for (LedgerFile file : files) {
        long inFile =
            Objects.requireNonNull(file.recordCount(), "an inspected file has a row count");
        LandedFacts facts = facts(file);
        long content = inFile - Objects.requireNonNull(file.landed(), "landed").deletedRows();
        rows += content;
        deleted += facts.sourceRows() - content;
      }
      return new Counts(files.size(), rows, deleted);
    }

    private static LandedFacts facts(LedgerFile file) {
      return LandedFacts.parse(Objects.requireNonNull(file.landed(), "landed").facts());
    }
  }
}
