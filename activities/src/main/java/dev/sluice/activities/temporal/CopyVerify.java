package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.DeltaFilePlan;
import dev.sluice.activities.landing.LandedDeletes;
import dev.sluice.activities.landing.LandedFacts;
import dev.sluice.activities.parquet.ParquetFile;
import dev.sluice.activities.parquet.ParquetFooters;
import dev.sluice.activities.parquet.StoredFooters;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.verify.CountChecks;
import dev.sluice.activities.verify.LoggedVersion;
import dev.sluice.activities.verify.VersionCounts;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyResult;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Compares what was landed of a version with its log, read again, and with its files; a failed
 * check quarantines the landing.
 */
final class CopyVerify {

  private final Verifier verifier;
  private final Lakes lakes;
  private final Sources sources;
  private final Limits limits;

  CopyVerify(Verifier verifier, Lakes lakes, Sources sources, Limits limits) {
    this.verifier = verifier;
    this.lakes = lakes;
    this.sources = sources;
    this.limits = limits;
  }

  VerifyResult verified(StageInput input) throws Exception {
    LakeAccess lake = lakes.require(input.preparation().lake());
    Optional<VerifyResult> before = verifier.verifiedBefore(lake, input);
    if (before.isPresent()) {
      return before.get();
    }
    Beats beats = new Beats(input.preparation());
    ParquetFooters.Progress progress = (read, total) -> beats.at(read);
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    long version = CopyLand.plan(lake, key).version();
    ObjectStore table = sources.deltaTable(input.trigger());
    LoggedVersion logged = beats.during(() -> LoggedVersion.read(table, version));
    VersionCounts log = logged.counts(limits.footers(), progress);
    List<LedgerFile> files = lake.state().read(dsl -> LandingFiles.files(dsl, key));
    VersionCounts landed = landed(files, inDeleteFiles(lake.store(), files, progress));
    return verifier.verified(
        lake,
        input,
        new Verifier.Source(
            log.rows(),
            plan -> CountChecks.compare(plan, log, sourceRows(files), landed),
            live -> logged.side(limits.footers(), progress),
            Verifier.parameters(input, table)),
        beats,
        failed ->
            "%s.%s: version %d is not what the source has; %s; the landed files are quarantined and the live table is untouched; copy the version again"
                .formatted(
                    input.preparation().schema(), input.preparation().table(), version, failed));
  }

  /** Rows of the source's files by their own footers, without those that the plan deletes. */
  private static long sourceRows(List<LedgerFile> files) {
    return files.stream()
        .mapToLong(
            file ->
                facts(file).sourceRows()
                    - DeltaFilePlan.parse(Objects.requireNonNull(file.plan(), "plan"))
                        .deletedCount())
        .sum();
  }

  /** Rows that the delete files take away, by the footers of those that are to be registered. */
  private long inDeleteFiles(
      ObjectStore lake, List<LedgerFile> files, ParquetFooters.Progress progress)
      throws InterruptedException {
    List<String> keys =
        files.stream()
            .flatMap(file -> LandedDeletes.of(file).stream())
            .map(LandedDeletes::objectKey)
            .toList();
    return new ParquetFooters(new StoredFooters(lake), limits.footers())
        .readAll(keys, progress).stream().mapToLong(ParquetFile::rows).sum();
  }

  /** Deleted rows that landed are in the delete files, and those that did not are in no file. */
  private static VersionCounts landed(List<LedgerFile> files, long inDeleteFiles) {
    long inFiles = 0;
    long leftOut = 0;
    for (LedgerFile file : files) {
      long rows = Objects.requireNonNull(file.recordCount(), "an inspected file has a row count");
      LandedFacts facts = facts(file);
      inFiles += rows;
      leftOut += facts.rewritten() == null ? 0 : facts.sourceRows() - rows;
    }
    return new VersionCounts(files.size(), inFiles - inDeleteFiles, leftOut + inDeleteFiles);
  }

  private static LandedFacts facts(LedgerFile file) {
    return LandedFacts.parse(Objects.requireNonNull(file.landed(), "landed").facts());
  }
}
