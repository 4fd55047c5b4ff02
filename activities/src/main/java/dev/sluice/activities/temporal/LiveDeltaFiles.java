package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.LandingLedger;
import dev.sluice.activities.jobs.LedgerFile;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.landing.DeltaLander;
import dev.sluice.activities.landing.DeltaPlan;
import dev.sluice.activities.landing.LandedDeletes;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.workflows.activity.StageInput;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Files of the live generation of a source's Delta table whose objects are live in the catalog with
 * just the deletes that were published with them. A hint; the publication decides under its lock.
 */
final class LiveDeltaFiles {

  private final LakeAccess lake;
  private final StageInput input;

  LiveDeltaFiles(LakeAccess lake, StageInput input) {
    this.lake = lake;
    this.input = input;
  }

  /** A published landing with what its version was. */
  private record Published(LandingLedger.Key key, DeltaPlan plan) {}

  Map<String, DeltaLander.Live> bySourceKey() {
    Optional<Published> published = published();
    if (published.isEmpty()) {
      return Map.of();
    }
    Map<String, ScanFile> objects = liveObjects();
    Map<String, DeltaLander.Live> live = new HashMap<>();
    List<LedgerFile> files =
        lake.state().read(dsl -> LandingFiles.files(dsl, published.get().key()));
    for (LedgerFile file : files) {
      ScanFile object = objects.get(lake.store().uri(file.objectKey()));
      if (object != null && isAsPublished(file, object)) {
        live.put(file.sourceKey(), new DeltaLander.Live(file, published.get().plan()));
      }
    }
    return live;
  }

  private boolean isAsPublished(LedgerFile file, ScanFile object) {
    if (!object.inlinedDeletes().isEmpty() || object.newestRowSnapshot() != null) {
      return false;
    }
    List<String> deletes = object.deleteFiles().stream().map(ScanFile.DeleteFile::path).toList();
    return deletes.equals(
        LandedDeletes.of(file).map(each -> lake.store().uri(each.objectKey())).stream().toList());
  }

  private Optional<Published> published() {
    Target target = Attempts.target(lake, input.preparation());
    SourceRef ours = Attempts.source(input.trigger());
    return lake.state()
        .read(
            dsl ->
                Publications.findLive(dsl, target)
                    .filter(live -> live.attempt().source().equals(ours))
                    .flatMap(
                        live -> LandingLedger.findPublished(dsl, target, ours, live.generation()))
                    .flatMap(
                        key ->
                            LandingLedger.findPlan(dsl, key)
                                .map(plan -> new Published(key, DeltaPlan.parse(plan)))));
  }

  private Map<String, ScanFile> liveObjects() {
    Map<String, ScanFile> objects = new HashMap<>();
    LiveTables.files(lake, input.preparation()).forEach(file -> objects.put(file.path(), file));
    return objects;
  }
}
