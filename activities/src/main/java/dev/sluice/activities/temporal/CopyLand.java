package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.EventKind;
import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.LedgerFile.FileState;
import dev.sluice.activities.jobs.SourceJobEvents;
import dev.sluice.activities.landing.DeltaLander;
import dev.sluice.activities.landing.DeltaMatch;
import dev.sluice.activities.landing.DeltaPlan;
import dev.sluice.activities.landing.DeltaRewriter;
import dev.sluice.activities.landing.LandedDeletes;
import dev.sluice.activities.landing.LandedFacts;
import dev.sluice.activities.landing.LandedNotes;
import dev.sluice.activities.landing.LandedObjects;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.query.FileRewriter;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.workflows.activity.LandResult;
import dev.sluice.workflows.activity.StageInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lands the files of a pinned version of a Delta table; goes on where an earlier try stopped. */
final class CopyLand {

  /** Rewritten files that an event names; the rest is counted. */
  private static final int REWRITTEN_SHOWN = 3;

  private final SourceJobEvents events;
  private final Lakes lakes;
  private final LakeFiles lakeFiles;
  private final Sources sources;
  private final Limits limits;

  CopyLand(
      SourceJobEvents events, Lakes lakes, LakeFiles lakeFiles, Sources sources, Limits limits) {
    this.events = events;
    this.lakes = lakes;
    this.lakeFiles = lakeFiles;
    this.sources = sources;
    this.limits = limits;
  }

  LandResult landed(StageInput input) throws InterruptedException {
    LakeAccess lake = lakes.require(input.preparation().lake());
    // a late activity of an attempt that was overtaken must not write over its successor's objects
    Attempts.changeLanding(lake, input, dsl -> {});
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    DeltaPlan plan = plan(lake, key);
    Beats beats = new Beats(input.preparation());
    List<LedgerFile> files = lake.state().read(dsl -> LandingFiles.files(dsl, key));
    List<LedgerFile> missing = missing(lake, input, files, beats);
    land(lake, input, plan, missing, beats);
    tellRewritten(lake, input, key);
    return Landings.landed(lake, input);
  }

  static DeltaPlan plan(LakeAccess lake, LandingLedger.Key key) {
    return lake.state()
        .read(dsl -> LandingLedger.findPlan(dsl, key))
        .map(DeltaPlan::parse)
        .orElseThrow(
            () -> new IllegalStateException("landing " + key.landingId() + " was not planned"));
  }

  /** What was not landed, and what is not there any more, its delete file included. */
  private static List<LedgerFile> missing(
      LakeAccess lake, StageInput input, List<LedgerFile> files, Beats beats) {
    LandedObjects present =
        LandedObjects.list(lake.store(), input.preparation().landingId(), beats::beat);
    List<LedgerFile> gone = new FreshCopies(lake, input, beats::beat).withoutStandIn(files);
    List<LedgerFile> missing = new ArrayList<>();
    for (LedgerFile file : files) {
      Optional<LandedDeletes> deletes = LandedDeletes.of(file);
      boolean there =
          file.reusedPath() == null
              ? present.holds(LandingFile.object(file))
              : !gone.contains(file);
      boolean deletesThere =
          deletes.filter(LandedDeletes::isOwn).isEmpty()
              || present.holds(LandingFile.deletes(file, deletes.get()));
      if (file.state() == FileState.LISTED || !there || !deletesThere) {
        missing.add(file);
      } else {
        beats.done(file.sizeBytes());
      }
    }
    return missing;
  }

  private void land(
      LakeAccess lake, StageInput input, DeltaPlan plan, List<LedgerFile> missing, Beats beats)
      throws InterruptedException {
    ObjectStore table = sources.deltaTable(input.trigger());
    Map<String, DeltaLander.Live> live = new LiveDeltaFiles(lake, input).bySourceKey();
    DeltaLander lander =
        new DeltaLander(
            table,
            lake.store(),
            input.preparation().landingId(),
            plan,
            DeltaMatch.of(
                plan, LiveTables.find(lake, input.preparation()), lake.store(), lake.probe()),
            new DeltaRewriter(lake.store(), new FileRewriter(lakeFiles.of(lake)), plan),
            limits.copies());
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    try (LandedNotes<LandingFiles.Planned> notes =
        Landings.notes(
            lake, input, (dsl, files) -> LandingFiles.landed(dsl, key, files), beats::beat)) {
      Parallel.run(
          missing,
          limits.copies() + limits.footers(),
          file -> lander.land(file, live.get(file.sourceKey())),
          new Parallel.Observer<LedgerFile, LandingFiles.Planned>() {
            @Override
            public void completed(LedgerFile file, LandingFiles.Planned planned) {
              notes.add(planned);
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

  /** Says once which files were written anew, and why. */
  private void tellRewritten(LakeAccess lake, StageInput input, LandingLedger.Key key) {
    List<String> reasons = new ArrayList<>();
    for (LedgerFile file : lake.state().read(dsl -> LandingFiles.files(dsl, key))) {
      LedgerFile.Landed landed = file.landed();
      String reason = landed == null ? null : LandedFacts.parse(landed.facts()).rewritten();
      if (reason != null) {
        reasons.add(file.sourceKey() + ": " + reason);
      }
    }
    if (!reasons.isEmpty()) {
      events.append(
          Attempts.key(input),
          EventKind.REWRITTEN,
          "%d of the version's files were written anew; %s"
              .formatted(
                  reasons.size(),
                  String.join(
                      "; ", reasons.subList(0, Math.min(REWRITTEN_SHOWN, reasons.size())))));
    }
  }
}
