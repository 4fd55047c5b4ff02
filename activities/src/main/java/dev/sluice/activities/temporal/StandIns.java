package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.LedgerFile.FileState;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.parallel.Parallel;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.Sameness;
import dev.sluice.activities.storage.StorageException;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.workflows.activity.StageInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds files of a generation that the live generation of the same source has unchanged: the live
 * object stands in for a copy, and its catalog row can stay open. What is found here is a hint; the
 * publication decides under its lock, and copies where a stand-in cannot be kept.
 */
final class StandIns {

  private final LakeAccess lake;
  private final StageInput input;
  private final ObjectStore source;
  private final int inFlight;

  /**
   * Looks for stand-ins of one landing.
   *
   * @param source where the generation comes from
   * @param inFlight most comparisons at a time
   */
  StandIns(LakeAccess lake, StageInput input, ObjectStore source, int inFlight) {
    this.lake = lake;
    this.input = input;
    this.source = source;
    this.inFlight = inFlight;
  }

  private record Pair(LedgerFile file, String liveKey) {}

  /**
   * Notes the stand-ins of files that are not landed yet.
   *
   * @param beats told of each file that needs no copy
   * @return the source keys of those files
   */
  Set<String> note(List<LedgerFile> files, Beats beats) throws InterruptedException {
    Map<String, LedgerFile> live = liveFiles();
    List<Pair> pairs = new ArrayList<>();
    for (LedgerFile file : files) {
      LedgerFile other = live.get(file.sourceKey());
      if (file.state() == FileState.LISTED && other != null && mayBeSame(file, other)) {
        pairs.add(new Pair(file, other.objectKey()));
      }
    }
    if (pairs.isEmpty()) {
      return Set.of();
    }
    Map<String, String> objects = new HashMap<>();
    Parallel.run(
        pairs,
        inFlight,
        this::same,
        new Parallel.Observer<Pair, Boolean>() {
          @Override
          public void completed(Pair pair, Boolean same) {
            if (same) {
              objects.put(pair.file().sourceKey(), pair.liveKey());
              beats.done(pair.file().sizeBytes());
            }
          }

          @Override
          public void waiting() {
            beats.beat();
          }
        });
    LandingLedger.Key key = Attempts.landing(lake, input.preparation());
    Attempts.changeLanding(lake, input, dsl -> LandingFiles.reused(dsl, key, objects));
    return Set.copyOf(objects.keySet());
  }

  /**
   * Another etag of the source's object is taken for another content, which at worst costs a copy;
   * an equal one is no proof.
   */
  private static boolean mayBeSame(LedgerFile file, LedgerFile live) {
    String one = file.checksum();
    String other = live.checksum();
    return file.sizeBytes() == live.sizeBytes()
        && (one == null || other == null || one.equals(other));
  }

  private boolean same(Pair pair) {
    try {
      return Sameness.holds(source, pair.file().sourceKey(), lake.store(), pair.liveKey());
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.NOT_FOUND) {
        // whichever is gone: copying says so where it matters
        return false;
      }
      throw e;
    }
  }

  /** Files of the live generation whose objects are live and without deletes, by source key. */
  private Map<String, LedgerFile> liveFiles() {
    Target target = Attempts.target(lake, input.preparation());
    SourceRef ours = Attempts.source(input.trigger());
    List<LedgerFile> published =
        lake.state()
            .read(
                dsl ->
                    Publications.findLive(dsl, target)
                        .filter(live -> live.attempt().source().equals(ours))
                        .flatMap(
                            live ->
                                LandingLedger.findPublished(dsl, target, ours, live.generation()))
                        .map(key -> LandingFiles.files(dsl, key))
                        .orElse(List.of()));
    if (published.isEmpty()) {
      return Map.of();
    }
    Set<String> whole = wholeObjects();
    return published.stream()
        .filter(file -> whole.contains(lake.store().uri(file.objectKey())))
        .collect(Collectors.toMap(LedgerFile::sourceKey, file -> file));
  }

  private Set<String> wholeObjects() {
    return LiveTables.files(lake, input.preparation()).stream()
        .filter(ScanFile::isWhole)
        .map(ScanFile::path)
        .collect(Collectors.toSet());
  }
}
