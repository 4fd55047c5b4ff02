package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingFiles.Copied;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.landing.LandedDeletes;
import dev.sluice.activities.landing.LandedFacts;
import dev.sluice.activities.landing.LandedNotes;
import dev.sluice.activities.landing.LandedObjects;
import dev.sluice.activities.landing.Lander;
import dev.sluice.activities.landing.LandingFile;
import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.activities.storage.TransferMonitor;
import dev.sluice.workflows.activity.StageInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives files objects of their own where a live object of the table was to stand in for a copy and
 * cannot. The content is the same, so that what was inspected and verified stays true. Safe to
 * repeat: each file's own key is the ledger's, and what is noted is not copied again.
 */
final class FreshCopies {

  private final LakeAccess lake;
  private final StageInput input;
  private final Runnable alive;

  /**
   * Copies for one landing.
   *
   * @param alive called now and then
   */
  FreshCopies(LakeAccess lake, StageInput input, Runnable alive) {
    this.lake = lake;
    this.input = input;
    this.alive = alive;
  }

  /** Those of the files whose stand-in is not there any more, or has another size. */
  List<LedgerFile> withoutStandIn(List<LedgerFile> files) {
    String landingId = input.preparation().landingId();
    Map<String, LandedObjects> listed = new HashMap<>();
    List<LedgerFile> missing = new ArrayList<>();
    for (LedgerFile file : files) {
      String key = file.reusedPath();
      if (key != null) {
        LandedObjects objects =
            listed.computeIfAbsent(
                prefix(file, key, landingId),
                prefix -> LandedObjects.list(lake.store(), prefix, alive));
        if (!objects.holds(at(file, key))) {
          missing.add(file);
        }
      }
    }
    return missing;
  }

  /** The landing of a stand-in: it ends as the file's own path does. */
  private static String prefix(LedgerFile file, String key, String landingId) {
    String tail = file.landedPath().substring(landingId.length());
    return key.endsWith("/" + tail) ? key.substring(0, key.length() - tail.length()) : key;
  }

  private static LandingFile at(LedgerFile file, String key) {
    return new LandingFile(file.sourceKey(), key, file.objectBytes(), null, null);
  }

  /**
   * Copies the stand-ins, or where one is gone the file of the source, to the files' own keys.
   *
   * @param source where the generation came from
   */
  void copy(List<LedgerFile> files, ObjectStore source) throws InterruptedException {
    // a late activity of an attempt that was overtaken must not write over its successor's objects
    Attempts.changeLanding(lake, input, dsl -> {});
    Lander lander = new Lander(source, lake.store(), Limits.DEFAULT_COPIES);
    List<LedgerFile> gone = new ArrayList<>();
    copyDeletes(files);
    try (LandedNotes<Copied> notes = Landings.notes(lake, input, alive)) {
      Parallel.run(
          files,
          Limits.DEFAULT_COPIES,
          this::copied,
          new Parallel.Observer<LedgerFile, Boolean>() {
            @Override
            public void completed(LedgerFile file, Boolean copied) {
              if (copied) {
                notes.add(new Copied(file.sourceKey(), null));
                alive.run();
              } else {
                gone.add(file);
              }
            }

            @Override
            public void waiting() {
              alive.run();
            }
          });
      lander.land(
          gone.stream().map(LedgerFiles::landing).toList(),
          new Lander.Progress() {
            @Override
            public void landed(LandingFile file, Copied copied) {
              notes.add(copied);
              alive.run();
            }

            @Override
            public void waiting() {
              alive.run();
            }
          });
      notes.finish();
    }
  }

  /**
   * A delete file belongs to one row as its data file does: with a data file that is new, it is new
   * as well. The path in it is that of another data file then, which no reader looks at.
   */
  private void copyDeletes(List<LedgerFile> files) {
    List<LandingFiles.Planned> noted = new ArrayList<>();
    for (LedgerFile file : files) {
      LandedDeletes deletes = LandedDeletes.of(file).orElse(null);
      LedgerFile.Landed landed = file.landed();
      if (deletes != null && landed != null) {
        if (!deletes.isOwn()) {
          LandedObjects.list(lake.store(), deletes.objectKey(), alive)
              .requireAll(
                  List.of(
                      new LandingFile(
                          file.sourceKey(), deletes.objectKey(), deletes.bytes(), null, null)));
          lake.store()
              .copyFrom(
                  lake.store(),
                  new ObjectInfo(deletes.objectKey(), deletes.bytes(), null, null, null),
                  deletes.ownKey(),
                  TransferMonitor.NONE);
        }
        noted.add(
            new LandingFiles.Planned(
                file.sourceKey(),
                null,
                new LedgerFile.Landed(
                    landed.bytes(),
                    landed.deletedRows(),
                    LandedFacts.parse(landed.facts()).with(deletes.own()).text())));
      }
    }
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    Attempts.changeLanding(lake, input, dsl -> LandingFiles.relanded(dsl, key, noted));
  }

  private boolean copied(LedgerFile file) {
    String key = file.reusedPath();
    if (key == null) {
      return false;
    }
    ObjectInfo standIn = lake.store().find(key).orElse(null);
    if (standIn == null || standIn.sizeBytes() != file.objectBytes()) {
      return false;
    }
    try {
      lake.store().copyFrom(lake.store(), standIn, file.landedPath(), TransferMonitor.NONE);
      return true;
    } catch (StorageException e) {
      return switch (e.kind()) {
        case NOT_FOUND, SOURCE_CHANGED -> false;
        case MISSING_BUCKET,
            ACCESS_DENIED,
            BAD_CREDENTIALS,
            WRONG_REGION,
            INVALID_KEY,
            INVALID_RANGE,
            UNREACHABLE,
            THROTTLED,
            UNAVAILABLE,
            INTERRUPTED,
            UNEXPECTED ->
            throw e;
      };
    }
  }
}
