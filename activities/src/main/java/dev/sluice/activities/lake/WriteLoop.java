package dev.sluice.activities.lake;

import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.catalog.Catalog;
import dev.sluice.catalog.TableName;
import dev.sluice.catalog.commit.CommitResult;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.catalog.error.CommitConflictException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans a write on the newest snapshot, stores its objects and commits; after a conflict does it
 * again, a bounded number of times. Objects go when it is sure that nothing names them.
 */
final class WriteLoop {

  private final Catalog catalog;
  private final ObjectStore store;
  private final WriteSettings settings;

  WriteLoop(Catalog catalog, ObjectStore store, WriteSettings settings) {
    this.catalog = catalog;
    this.store = store;
    this.settings = settings;
  }

  /** Plans one write. */
  @FunctionalInterface
  interface Planner {
    /**
     * Stores objects and says what is to be committed.
     *
     * @throws SQLException what DuckDB cannot do
     */
    PlannedWrite plan(WriteEngine engine, WriteBase base, NewObjects objects) throws SQLException;
  }

  /**
   * What is written.
   *
   * @param doing for errors and the commit's description
   * @param batchId makes a repeat a no-op; null for none
   * @param note stored with the snapshot
   * @param rebase whether the plan survives commits that do not change the table's layout
   */
  record Job(
      String doing, TableName table, @Nullable String batchId, CommitNote note, Rebase rebase) {}

  /** What becomes of a plan when somebody else commits first. */
  enum Rebase {
    /** New rows are new rows, whatever others deleted meanwhile. */
    SAME_LAYOUT,
    /** What was read may have changed. */
    NEVER
  }

  WriteResult run(Job job, Planner planner) {
    List<CommitConflictException> conflicts = new ArrayList<>();
    while (true) {
      WriteBase base = WriteBase.now(catalog, job.doing(), job.table());
      String key = key(job, base);
      Optional<Long> repeated = key == null ? Optional.empty() : catalog.reader().findCommit(key);
      if (repeated.isPresent()) {
        return WriteResult.repeated(repeated.get());
      }
      if (base.options().requiresMessage() && job.note().message() == null) {
        throw WriteErrors.noMessage(job.doing());
      }
      try {
        return attempt(job, key, base, planner);
      } catch (CommitConflictException e) {
        conflicts.forEach(e::addSuppressed);
        conflicts.add(e);
        if (conflicts.size() >= settings.plans()) {
          throw e;
        }
      }
    }
  }

  /** A batch belongs to its table, whatever the table is called. */
  private static @Nullable String key(Job job, WriteBase base) {
    return job.batchId() == null ? null : "batch:" + base.table().id() + ":" + job.batchId();
  }

  private WriteResult attempt(Job job, @Nullable String key, WriteBase base, Planner planner) {
    NewObjects objects = new NewObjects(job.doing(), store, base.table());
    PlannedWrite planned = plan(job, base, planner, objects);
    if (planned.changes().isEmpty()) {
      return WriteResult.nothing(base.snapshot().id());
    }
    WriteCommit commit = new WriteCommit(catalog, job.doing(), key, job.note());
    try {
      CommitResult result = commit(job, commit, base, planned);
      return switch (result.outcome()) {
        case COMMITTED, NOTHING_TO_DO -> planned.result(result.snapshotId());
        case ALREADY_COMMITTED -> alreadyCommitted(job, planned, objects, result);
      };
    } catch (CatalogException e) {
      if (e.outcomeKnown()) {
        objects.remove();
      }
      throw e;
    }
  }

  private PlannedWrite plan(Job job, WriteBase base, Planner planner, NewObjects objects) {
    try (WriteEngine engine = WriteEngine.open(job.doing(), settings)) {
      return planner.plan(engine, base, objects);
    } catch (SQLException e) {
      objects.remove();
      throw WriteErrors.notComputed(job.doing(), e);
    } catch (RuntimeException | Error e) {
      objects.remove();
      throw e;
    }
  }

  private CommitResult commit(Job job, WriteCommit commit, WriteBase base, PlannedWrite planned) {
    WriteBase at = base;
    for (int tries = 1; ; tries++) {
      try {
        return commit.commit(at.snapshot().id(), planned.changes());
      } catch (CommitConflictException e) {
        boolean again =
            switch (job.rebase()) {
              case SAME_LAYOUT -> tries < settings.plans();
              case NEVER -> false;
            };
        if (!again) {
          throw e;
        }
        at = sameLayout(job, base, e);
      }
    }
  }

  /** The newest state; the conflict where the table is not what it was, or is gone. */
  private WriteBase sameLayout(Job job, WriteBase base, CommitConflictException conflict) {
    WriteBase newer;
    try {
      newer = WriteBase.now(catalog, job.doing(), job.table());
    } catch (RuntimeException e) {
      conflict.addSuppressed(e);
      throw conflict;
    }
    if (!newer.hasLayoutOf(base)) {
      throw conflict;
    }
    return newer;
  }

  /**
   * It may have been this very write, whose answer was lost: then the catalog names its objects,
   * data files or delete files, and they stay. Without a batch nobody else has the key.
   */
  private WriteResult alreadyCommitted(
      Job job, PlannedWrite planned, NewObjects objects, CommitResult result) {
    boolean ours =
        job.batchId() == null
            || !catalog.reader().named(catalog.info().dataPath(), objects.uris()).isEmpty();
    if (ours) {
      return planned.result(result.snapshotId());
    }
    objects.remove();
    return WriteResult.repeated(result.snapshotId());
  }
}
