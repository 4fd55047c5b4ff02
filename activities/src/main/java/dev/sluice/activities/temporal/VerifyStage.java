package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.CheckResult;
import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.verify.CountChecks;
import dev.sluice.activities.verify.SourceCounts;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyActivities;
import dev.sluice.workflows.activity.VerifyResult;
import dev.sluice.workflows.naming.PreparedFolder;
import java.util.List;

/** Compares what was landed with the source; a failed check quarantines the landing. */
public final class VerifyStage implements VerifyActivities {

  private final CheckResults checks;
  private final Lakes lakes;
  private final Sources sources;
  private final Failures failures;

  /** Makes the stage. */
  public VerifyStage(CheckResults checks, Lakes lakes, Sources sources, Failures failures) {
    this.checks = checks;
    this.lakes = lakes;
    this.sources = sources;
    this.failures = failures;
  }

  @Override
  public VerifyResult verify(StageInput input) {
    return failures.mapped(() -> verified(input));
  }

  private VerifyResult verified(StageInput input) throws InterruptedException {
    LakeAccess lake = lakes.require(input.preparation().lake());
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    List<LedgerFile> files = lake.state().read(dsl -> LandingLedger.files(dsl, key));
    Beats beats = new Beats(input.preparation());
    SourceCounts source =
        SourceCounts.read(
            sources.preparedFolder(
                input.trigger(), new PreparedFolder(input.trigger().preparedFolder())),
            files.stream().map(LedgerFile::sourceKey).toList(),
            (read, total) -> beats.at(read));
    LandingLedger.Totals totals = lake.state().read(dsl -> LandingLedger.totals(dsl, key));
    SourceCounts landed = new SourceCounts(totals.inspected(), totals.rows(), totals.landedBytes());
    List<CheckResult> results = CountChecks.compare(source, landed);
    checks.store(Attempts.key(input), results);
    String failed = CountChecks.failures(results);
    if (!failed.isEmpty()) {
      String message =
          "%s.%s: generation %s is not what the source has; %s; the landed files are quarantined"
                  .formatted(
                      input.preparation().schema(),
                      input.preparation().table(),
                      input.trigger().generation(),
                      failed)
              + " and the live table is untouched; run the import again";
      lake.state()
          .write(
              dsl -> {
                LandingLedger.quarantine(dsl, key, message);
                return key;
              });
      throw failures.verificationFailed(message);
    }
    advance(lake, key);
    return new VerifyResult(results.size(), source.rows());
  }

  private static void advance(LakeAccess lake, LandingLedger.Key key) {
    lake.state()
        .write(
            dsl -> {
              LandingLedger.advance(dsl, key, LandingLedger.LandingState.VERIFIED);
              return key;
            });
  }
}
