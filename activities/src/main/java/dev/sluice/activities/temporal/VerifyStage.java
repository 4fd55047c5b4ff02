package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.CheckResults;
import dev.sluice.activities.landing.GenerationFiles;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.storage.ObjectStore;
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
  private final Limits limits;

  /** Makes the stage. */
  public VerifyStage(
      CheckResults checks, Lakes lakes, Sources sources, Failures failures, Limits limits) {
    this.checks = checks;
    this.lakes = lakes;
    this.sources = sources;
    this.failures = failures;
    this.limits = limits;
  }

  @Override
  public VerifyResult verify(StageInput input) {
    return failures.mapped(() -> verified(input));
  }

  private VerifyResult verified(StageInput input) throws InterruptedException {
    LakeAccess lake = lakes.require(input.preparation().lake());
    Beats beats = new Beats(input.preparation());
    ObjectStore folder =
        sources.preparedFolder(
            input.trigger(), new PreparedFolder(input.trigger().preparedFolder()));
    // listed anew: a file that came after the first listing was not landed, and must be missed
    List<String> sourceKeys =
        GenerationFiles.list(folder, input.preparation().landingId()).files().stream()
            .map(LandingFile::sourceKey)
            .toList();
    SourceCounts source =
        SourceCounts.read(folder, sourceKeys, limits.footers(), (read, total) -> beats.at(read));
    return Landings.verified(
        lake,
        input,
        checks,
        failures,
        source,
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
