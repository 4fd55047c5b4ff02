package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingFiles.Copied;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.LedgerFile.FileState;
import dev.sluice.activities.landing.LandedNotes;
import dev.sluice.activities.landing.LandedObjects;
import dev.sluice.activities.landing.Lander;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.workflows.activity.LandActivities;
import dev.sluice.workflows.activity.LandResult;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.naming.PreparedFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Copies a generation under the lake's data path; goes on where an earlier try stopped. */
public final class LandStage implements LandActivities {

  private final Lakes lakes;
  private final Sources sources;
  private final Failures failures;
  private final Limits limits;

  /** Makes the stage. */
  public LandStage(Lakes lakes, Sources sources, Failures failures, Limits limits) {
    this.lakes = lakes;
    this.sources = sources;
    this.failures = failures;
    this.limits = limits;
  }

  @Override
  public LandResult land(StageInput input) {
    return failures.mapped(() -> landed(input));
  }

  private LandResult landed(StageInput input) throws InterruptedException {
    LakeAccess lake = lakes.require(input.preparation().lake());
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    // a late activity of an attempt that was overtaken must not write over its successor's objects
    Attempts.changeLanding(lake, input, dsl -> {});
    Beats beats = new Beats(input.preparation());
    ObjectStore folder =
        sources.preparedFolder(
            input.trigger(), new PreparedFolder(input.trigger().preparedFolder()));
    List<LedgerFile> files = lake.state().read(dsl -> LandingFiles.files(dsl, key));
    List<LandingFile> missing = missing(lake, input, files, beats);
    Set<String> standIns = new StandIns(lake, input, folder, limits.copies()).note(files, beats);
    missing.removeIf(file -> standIns.contains(file.sourceKey()));
    Lander lander = new Lander(folder, lake.store(), limits.copies());
    copy(lander, missing, lake, input, beats);
    return Landings.landed(lake, input);
  }

  /** What has to be copied: what was not, and what is not there any more. */
  private static List<LandingFile> missing(
      LakeAccess lake, StageInput input, List<LedgerFile> files, Beats beats) {
    LandedObjects present =
        LandedObjects.list(lake.store(), input.preparation().landingId(), beats::beat);
    Set<String> gone =
        new FreshCopies(lake, input, beats::beat)
            .withoutStandIn(files).stream()
                .map(LedgerFile::sourceKey)
                .collect(Collectors.toUnmodifiableSet());
    List<LandingFile> missing = new ArrayList<>();
    for (LedgerFile file : files) {
      LandingFile landing = LedgerFiles.landing(file);
      boolean there =
          file.reusedPath() == null ? present.holds(landing) : !gone.contains(file.sourceKey());
      if (file.state() == FileState.LISTED || !there) {
        missing.add(landing);
      } else {
        beats.done(file.sizeBytes());
      }
    }
    return missing;
  }

  private static void copy(
      Lander lander, List<LandingFile> missing, LakeAccess lake, StageInput input, Beats beats)
      throws InterruptedException {
    try (LandedNotes<Copied> notes = Landings.notes(lake, input, beats::beat)) {
      lander.land(
          missing,
          new Lander.Progress() {
            @Override
            public void landed(LandingFile file, Copied copied) {
              notes.add(copied);
              beats.done(file.sizeBytes());
            }

            @Override
            public void waiting() {
              beats.beat();
            }
          });
      notes.finish();
    }
  }
}
