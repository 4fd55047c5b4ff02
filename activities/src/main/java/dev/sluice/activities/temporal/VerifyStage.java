package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.verify.CountChecks;
import dev.sluice.activities.verify.PreparedSide;
import dev.sluice.activities.verify.SourceCounts;
import dev.sluice.activities.verify.SourceFiles;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.VerifyActivities;
import dev.sluice.workflows.activity.VerifyResult;
import dev.sluice.workflows.naming.PreparedFolder;
import java.util.Optional;

/** Compares what was landed with the source; a failed check quarantines the landing. */
public final class VerifyStage implements VerifyActivities {

  private final Verifier verifier;
  private final Lakes lakes;
  private final Sources sources;
  private final Failures failures;
  private final Limits limits;

  /** Makes the stage. */
  public VerifyStage(
      Verifier verifier, Lakes lakes, Sources sources, Failures failures, Limits limits) {
    this.verifier = verifier;
    this.lakes = lakes;
    this.sources = sources;
    this.failures = failures;
    this.limits = limits;
  }

  @Override
  public VerifyResult verify(StageInput input) {
    return failures.mapped(() -> verified(input));
  }

  private VerifyResult verified(StageInput input) throws Exception {
    LakeAccess lake = lakes.require(input.preparation().lake());
    Optional<VerifyResult> before = verifier.verifiedBefore(lake, input);
    if (before.isPresent()) {
      return before.get();
    }
    Beats beats = new Beats(input.preparation());
    ObjectStore folder =
        sources.preparedFolder(
            input.trigger(), new PreparedFolder(input.trigger().preparedFolder()));
    LandingLedger.Key landing = Attempts.landing(lake, input.preparation());
    SourceFiles files =
        new SourceFiles(
            folder,
            landing.landingId(),
            lake.state().read(dsl -> LandingFiles.counted(dsl, landing)),
            limits.footers());
    SourceCounts counts = files.counts((read, total) -> beats.at(read));
    Verifier.Source source =
        new Verifier.Source(
            counts.rows(),
            plan -> CountChecks.compare(plan, counts, Landings.counts(lake, input)),
            live -> new PreparedSide(folder, files.footers((read, total) -> beats.at(read)), live),
            Verifier.parameters(input, folder));
    return verifier.verified(
        lake,
        input,
        source,
        beats,
        failed ->
            "%s.%s: generation %s is not what the source has; %s; the landed files are quarantined"
                    .formatted(
                        input.preparation().schema(),
                        input.preparation().table(),
                        input.trigger().generation(),
                        failed)
                + " and the live table is untouched; run the import again");
  }
}
