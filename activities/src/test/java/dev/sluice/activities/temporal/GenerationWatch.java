package dev.sluice.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.jobs.LandingFiles;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.StateDatabase;
import dev.sluice.activities.jobs.Target;
import dev.sluice.activities.parallel.Threads;
import dev.sluice.activities.storage.ObjectInfo;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Snapshot;
import dev.sluice.catalog.Table;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.read.CatalogReader;
import dev.sluice.catalog.read.Predicate;
import dev.sluice.catalog.read.ScanFile;
import dev.sluice.catalog.read.ScanPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An observer of one stable name, over connections of its own. What it sees must be one complete
 * generation with all its objects, and never one that is older than what it saw before. It keeps
 * its first complaint, since it is called where an error would be taken for the worker's. Not
 * thread-safe.
 */
final class GenerationWatch {

  private final CatalogReader reader;
  private final StateDatabase state;
  private final ObjectStore store;
  private final Target target;
  private final List<String> seen = new ArrayList<>();
  private @Nullable Publication newest;
  private @Nullable Throwable complaint;

  /**
   * @param lakeKey the metadata schema
   */
  GenerationWatch(DataSource lake, String lakeKey, ObjectStore store, String schema, String table) {
    this.reader = new CatalogReader(lake, lakeKey);
    this.state = new StateDatabase("the observer", lake);
    this.store = store;
    this.target = new Target(lakeKey, schema, table);
  }

  /** Looks at the table; a complaint is kept for {@link #requireNoComplaint()}. */
  void look() {
    if (complaint != null) {
      return;
    }
    // whoever is watched may be interrupted meanwhile; the observer is not
    Thread observer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    observe();
                  } catch (RuntimeException | AssertionError e) {
                    complaint = e;
                  }
                });
    Threads.awaitEnd(observer);
  }

  /** Generations in the order in which they were first seen. */
  List<String> seen() {
    return List.copyOf(seen);
  }

  void requireNoComplaint() {
    if (complaint != null) {
      throw new AssertionError("what a reader saw: " + complaint.getMessage(), complaint);
    }
  }

  private void observe() {
    Snapshot before;
    Optional<Publication> live;
    Optional<ScanPlan> plan;
    do {
      before = reader.latest();
      live = state.read(dsl -> Publications.findLive(dsl, target));
      plan = plan(before);
    } while (reader.latest().id() != before.id());
    assertThat(plan.isPresent())
        .as("there is a table as soon as there is a publication, and never again without")
        .isEqualTo(live.isPresent());
    if (live.isEmpty()) {
      assertThat(newest).as("a table that was there is gone").isNull();
      return;
    }
    complete(plan.orElseThrow(), live.get());
    neverBackwards(live.get());
  }

  private Optional<ScanPlan> plan(Snapshot snapshot) {
    Optional<Table> table =
        reader.view(snapshot).findTable(new TableName(target.schema(), target.table()));
    return table.map(found -> reader.plan(snapshot, found, Predicate.all()));
  }

  private void complete(ScanPlan plan, Publication live) {
    assertThat(plan.inlinedRows()).isEmpty();
    assertThat(plan.files()).as("files of %s", live.generation()).hasSize((int) live.files());
    assertThat(plan.files().stream().mapToLong(GenerationWatch::rows).sum())
        .as("rows of %s", live.generation())
        .isEqualTo(live.rows());
    List<String> objects = objects(live);
    for (ScanFile file : plan.files()) {
      assertThat(file.inlinedDeletes()).isEmpty();
      assertThat(file.newestRowSnapshot()).isNull();
      file.deleteFiles().forEach(each -> hasObject(each.path(), each.fileSizeBytes()));
      assertThat(store.location().keyOf(file.path()))
          .as("object of a row, by the ledger of %s", live.generation())
          .get()
          .isIn(objects);
      hasObject(file.path(), file.fileSizeBytes());
    }
  }

  /** Those that a reader will see of it. */
  private static long rows(ScanFile file) {
    return file.recordCount()
        - file.deleteFiles().stream().mapToLong(ScanFile.DeleteFile::deleteCount).sum();
  }

  private void hasObject(String path, long sizeBytes) {
    Optional<ObjectInfo> object = store.location().keyOf(path).flatMap(store::find);
    assertThat(object.map(ObjectInfo::sizeBytes))
        .as("size of the object that the row of %s names", path)
        .contains(sizeBytes);
  }

  /** Its own objects, and those of an earlier generation that stand in for equal ones. */
  private List<String> objects(Publication live) {
    return state.read(dsl -> LandingFiles.published(dsl, target, live.generation())).stream()
        .map(published -> published.file().objectKey())
        .toList();
  }

  private void neverBackwards(Publication live) {
    Publication last = newest;
    if (last == null || last.snapshotId() != live.snapshotId()) {
      if (last != null) {
        assertThat(last.order().isNewerThan(live.order()))
            .as("%s after %s", live.order(), last.order())
            .isFalse();
        assertThat(live.snapshotId()).isGreaterThan(last.snapshotId());
      }
      seen.add(live.generation());
    }
    newest = live;
  }
}
