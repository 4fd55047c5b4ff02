package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.AttemptKey;
import dev.sluice.activities.jobs.Fences;
import dev.sluice.activities.jobs.Publication;
import dev.sluice.activities.jobs.Publications;
import dev.sluice.activities.jobs.ReaperList;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceJobs;
import dev.sluice.activities.jobs.SourceJobs.Ending;
import dev.sluice.activities.jobs.SourceRef;
import dev.sluice.activities.jobs.StateException;
import dev.sluice.activities.jobs.TableNames;
import dev.sluice.activities.jobs.Target;
import dev.sluice.catalog.error.CatalogException;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.naming.ProducerOrder;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends attempts, always from the publication first: the fence is taken away, then the lake is asked
 * what was published, and only then is the outcome written. What was published is completed,
 * whoever ends it and whatever was heard of it. Thread-safe.
 */
public final class AttemptEnds {
  private static final Logger log = LoggerFactory.getLogger(AttemptEnds.class);

  private final SourceJobs jobs;
  private final ReaperList list;
  private final TableNames names;
  private final Lakes lakes;

  /** Makes it over the home database's stores and the lakes. */
  public AttemptEnds(SourceJobs jobs, ReaperList list, TableNames names, Lakes lakes) {
    this.jobs = jobs;
    this.list = list;
    this.names = names;
    this.lakes = lakes;
  }

  /** The lake of a source cannot be asked now. */
  static final class LakeAwayException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String lake;

    LakeAwayException(String lake, Throwable cause) {
      super("lake " + lake + " cannot be asked: " + cause.getMessage(), cause);
      this.lake = lake;
    }

    String lake() {
      return lake;
    }
  }

  /**
   * Ends an attempt with what its run says. The outcome is written down also when the lake is what
   * failed; the reaper then asks it later.
   *
   * @return the attempt as it stands now
   */
  SourceJob close(AttemptKey key, RegisterResult result) {
    Optional<Publication> published;
    try {
      published = settleWithLake(key, result);
    } catch (LakeAwayException e) {
      log.warn("{} is closed without asking its lake", key, e);
      return jobs.end(key, result, Ending.UNRECONCILED);
    }
    return published.isPresent()
        ? jobs.reconcile(key, PublishStage.live(published.get()))
        : jobs.close(key, result);
  }

  /**
   * Ends an attempt whose run has ended without doing so.
   *
   * @return the attempt as it stands now; another outcome than asked when it was published, or when
   *     its run was quicker
   * @throws LakeAwayException when the lake cannot be asked; nothing has been decided then
   */
  SourceJob reap(AttemptKey key, RegisterResult result, Ending ending) throws LakeAwayException {
    Optional<Publication> published = settleWithLake(key, result);
    return published.isPresent()
        ? jobs.reconcile(key, PublishStage.live(published.get()))
        : jobs.end(key, result, ending);
  }

  /**
   * Asks the lake about an attempt that was closed without that.
   *
   * @throws LakeAwayException when the lake can still not be asked
   */
  void reconcile(SourceJob job) throws LakeAwayException {
    Optional<Publication> published =
        askLakeOf(job.key().source(), revokeAndFind(job.key(), job.status().word()));
    if (published.isPresent()) {
      jobs.reconcile(job.key(), PublishStage.live(published.get()));
    } else {
      list.reconciled(job.key());
    }
  }

  /**
   * The publication of exactly what is asked for, where that is live now: the same attempt id with
   * the same order. Empty also when the lake cannot be asked.
   */
  Optional<Publication> findLive(SourceRef source, String attemptId, ProducerOrder order) {
    try {
      return askLakeOf(
          source,
          (lake, target) ->
              lake.state()
                  .read(dsl -> Publications.findLive(dsl, target))
                  .filter(live -> live.attempt().source().equals(source))
                  .filter(live -> live.attempt().attempt().attemptId().equals(attemptId))
                  .filter(live -> live.order().equals(order))
                  .filter(live -> LiveTables.isThere(lake, live)));
    } catch (LakeAwayException e) {
      // An attempt must be opened, and its failure be written down, even when the lake has failed.
      log.warn("nothing is known of what {} has live", source, e);
      return Optional.empty();
    }
  }

  private Optional<Publication> settleWithLake(AttemptKey key, RegisterResult result)
      throws LakeAwayException {
    return askLakeOf(
        key.source(),
        result.status() == RegisterStatus.COMPLETED
            ? (lake, target) -> find(lake, key)
            : revokeAndFind(key, result.status().word()));
  }

  /**
   * Lets go of the fence before looking what was published: a publication whose answer was lost is
   * waited for, and one that has not begun never will. Otherwise an attempt closed as failed could
   * still be published.
   */
  private static BiFunction<LakeAccess, Target, Optional<Publication>> revokeAndFind(
      AttemptKey key, String word) {
    return (lake, target) -> {
      lake.state()
          .write(
              dsl -> {
                Fences.revoke(dsl, target, key.attempt(), "it was closed as " + word);
                return key;
              });
      return find(lake, key);
    };
  }

  private static Optional<Publication> find(LakeAccess lake, AttemptKey key) {
    return lake.state().read(dsl -> Publications.findByAttempt(dsl, lake.key(), key));
  }

  /** A source that has no table yet has nothing to be asked about. */
  private Optional<Publication> askLakeOf(
      SourceRef source, BiFunction<LakeAccess, Target, Optional<Publication>> question)
      throws LakeAwayException {
    Optional<Target> assigned = names.find(source).map(TableNames.Assigned::target);
    if (assigned.isEmpty()) {
      return Optional.empty();
    }
    Target name = assigned.get();
    try {
      LakeAccess lake = lakes.require(name.lake());
      return question.apply(lake, new Target(lake.key(), name.schema(), name.table()));
    } catch (CatalogException | StateException | DataAccessException | ApplicationFailure e) {
      throw new LakeAwayException(name.lake(), e);
    }
  }
}
