package dev.sluice.activities.temporal;

import dev.sluice.activities.jobs.ReaperList;
import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.jobs.SourceJobs.Ending;
import dev.sluice.activities.jobs.StoredTrigger;
import dev.sluice.activities.temporal.AttemptEnds.LakeAwayException;
import dev.sluice.activities.temporal.TemporalRuns.TemporalAwayException;
import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.PublishSetWorkflow;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.naming.WorkflowIds;
import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.TriggerSender;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowServiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after what runs and what waits. One pass asks Temporal about every attempt that has not
 * ended, whatever its lease, and closes those whose run has ended, from the publication first; then
 * it hands every trigger that no run holds to the workflow of its source. Only an attempt whose
 * very run is known to have ended is closed, so a worker that is slow, a run that began after the
 * list was read and a run that closes its attempt at the same moment are all safe. When Temporal
 * cannot be reached, nothing is done.
 *
 * <p>Thread-safe; passes of several workers may overlap without harm, and {@link Settings} keep
 * them apart all the same.
 */
public final class Reaper {
  private static final Logger log = LoggerFactory.getLogger(Reaper.class);

  static final String DUTY = "reaper";

  /** What has just been written is in the hands of the run that wrote it. */
  private static final Duration IN_HAND = Duration.ofSeconds(10);

  /** A lease outlives two passes that were missed. */
  private static final int LEASE_IN_PAUSES = 3;

  private final ReaperList list;
  private final AttemptEnds ends;
  private final TemporalRuns runs;
  private final TriggerSender starter;
  private final Settings settings;

  /**
   * Bounds of a reaper.
   *
   * @param holder who this worker is, for people
   * @param queue the task queue of the workflows it starts
   * @param pause from the beginning of one pass of all workers to that of the next
   * @param asks questions to Temporal in a pass at most; what is left comes first in the next
   */
  public record Settings(String holder, String queue, Duration pause, int asks) {
    /** Checks presence and that something can be asked. */
    public Settings {
      Objects.requireNonNull(holder, "holder");
      Objects.requireNonNull(queue, "queue");
      Objects.requireNonNull(pause, "pause");
      if (asks < 1) {
        throw new IllegalArgumentException("reaper: asks is " + asks + "; required is 1 or more");
      }
    }
  }

  /** How a pass ended. */
  public sealed interface Pass {
    /** Another worker's pass is not long enough ago. */
    record NotYet() implements Pass {}

    /**
     * It is over.
     *
     * @param asked questions that Temporal answered
     * @param open attempts whose run goes on
     * @param reaped attempts that were closed, as they stand now
     * @param restarted triggers that were handed to a run
     * @param lakesAway lakes that could not be asked; their attempts were left as they are
     */
    record Done(int asked, int open, List<SourceJob> reaped, int restarted, Set<String> lakesAway)
        implements Pass {
      /** Copies the collections. */
      public Done {
        reaped = List.copyOf(reaped);
        lakesAway = Set.copyOf(lakesAway);
      }
    }

    /**
     * Temporal could not be asked; what was answered before that has been acted upon.
     *
     * @param reason why, in its own words
     * @param before what was done before
     */
    record TemporalAway(String reason, Done before) implements Pass {}
  }

  /** Makes a reaper; it does nothing before {@link #pass}. */
  public Reaper(ReaperList list, AttemptEnds ends, WorkflowClient client, Settings settings) {
    this.list = list;
    this.ends = ends;
    this.runs = new TemporalRuns(client);
    this.starter = new TriggerSender(client, settings.queue());
    this.settings = settings;
  }

  /**
   * Makes a pass, if it is time for one.
   *
   * @throws dev.sluice.activities.jobs.StateException when the home database cannot be used
   */
  public Pass pass() {
    if (list.takeTurn(DUTY, settings.holder(), settings.pause()) == ReaperList.Turn.NOT_YET) {
      return new Pass.NotYet();
    }
    Work work = new Work();
    try {
      work.attempts();
      work.triggers();
    } catch (TemporalAwayException e) {
      return new Pass.TemporalAway(String.valueOf(e.getMessage()), work.done());
    }
    work.unreconciled();
    return work.done();
  }

  /** One pass. */
  private final class Work {
    private final long begin = System.nanoTime();
    private final List<SourceJob> reaped = new ArrayList<>();
    private final Set<String> lakesAway = new HashSet<>();
    private int asked;
    private int open;
    private int restarted;

    Pass.Done done() {
      return new Pass.Done(asked, open, reaped, restarted, lakesAway);
    }

    /** The next pass may begin then, perhaps elsewhere; what is left comes first in it. */
    private boolean isOver() {
      return asked >= settings.asks() || System.nanoTime() - begin >= settings.pause().toNanos();
    }

    void attempts() throws TemporalAwayException {
      for (SourceJob job : list.running(runs.namespace(), settings.asks())) {
        if (isOver()) {
          return;
        }
        attempt(job);
      }
    }

    private void attempt(SourceJob job) throws TemporalAwayException {
      switch (ask(Objects.requireNonNull(job.workflowId()), job.runId())) {
        case RunAnswer.Open running -> {
          open++;
          list.confirm(job.key(), running.note(), settings.pause().multipliedBy(LEASE_IN_PAUSES));
        }
        case RunAnswer.Ended ended ->
            reap(job, "its run " + ended.how() + "; " + again(job.workflowId()), Ending.REAPED);
        case RunAnswer.Unknown unknown ->
            reap(
                job,
                "Temporal knows its run no more, though nobody ended it"
                    + (isOfItsOwnWorkflow(job)
                        ? "; its trigger is started again"
                        : "; " + again(job.workflowId())),
                isOfItsOwnWorkflow(job) ? Ending.REAPED_TO_START_AGAIN : Ending.REAPED);
      }
    }

    private void reap(SourceJob job, String reason, Ending ending) {
      String lake = job.lake() == null ? "" : job.lake();
      if (lakesAway.contains(lake)) {
        list.postpone(job.key());
        return;
      }
      try {
        SourceJob ended = ends.reap(job.key(), lost(job, reason), ending);
        reaped.add(ended);
        log.info("reaped {} as {}: {}", job.key(), ended.status().word(), reason);
      } catch (LakeAwayException e) {
        // What was published cannot be known now, so nothing is decided.
        lakesAway.add(e.lake());
        list.postpone(job.key());
        log.warn("{} has lost its run and cannot be closed: {}", job.key(), e.getMessage());
      }
    }

    void triggers() throws TemporalAwayException {
      for (StoredTrigger trigger :
          list.unsettled(runs.namespace(), IN_HAND, Math.max(1, settings.asks() - asked))) {
        if (isOver()) {
          return;
        }
        trigger(trigger);
      }
    }

    private void trigger(StoredTrigger trigger) throws TemporalAwayException {
      switch (ask(trigger.workflowId(), trigger.runId())) {
        case RunAnswer.Open held -> list.confirm(trigger);
        case RunAnswer.Ended ended -> {
          if (ended.handedOver()
              && ask(trigger.workflowId(), null) instanceof RunAnswer.Open next) {
            // What waited was handed over as that run's own trigger, and it will say so.
            log.debug("{} waits for run {}", trigger.trigger().attemptId(), next.runId());
            list.confirm(trigger);
          } else {
            start(trigger, "the run that held it " + ended.how());
          }
        }
        case RunAnswer.Unknown unknown ->
            start(trigger, "Temporal knows the run that held it no more");
      }
    }

    private void start(StoredTrigger trigger, String why) throws TemporalAwayException {
      if (!trigger.workflowId().equals(WorkflowIds.of(trigger.trigger()))) {
        // A member of a set, which is published as a whole or not at all: never by itself.
        list.giveUp(trigger, why + "; " + again(trigger.workflowId()));
        return;
      }
      ChildStart start;
      try {
        start = starter.send(trigger.trigger());
      } catch (WorkflowNotFoundException closedAgainAndAgain) {
        list.confirm(trigger);
        return;
      } catch (WorkflowServiceException e) {
        throw new TemporalAwayException("a workflow cannot be started: " + e.getMessage(), e);
      }
      String runId = start.runId();
      if (runId == null) {
        // A run of the source was going on and has been sent it.
        if (!(ask(trigger.workflowId(), null) instanceof RunAnswer.Open running)) {
          list.confirm(trigger);
          return;
        }
        runId = running.runId();
      }
      restarted++;
      list.handedOver(trigger, runId, why + "; handed to run " + runId);
      log.info("handed {} to run {}: {}", trigger.trigger().attemptId(), runId, why);
    }

    void unreconciled() {
      for (SourceJob job : list.unreconciled(settings.asks())) {
        if (System.nanoTime() - begin >= settings.pause().toNanos()) {
          return;
        }
        try {
          ends.reconcile(job);
        } catch (LakeAwayException e) {
          lakesAway.add(e.lake());
          list.postpone(job.key());
          log.debug("{} is still not reconciled", job.key(), e);
        }
      }
    }

    private RunAnswer ask(String workflowId, @Nullable String runId) throws TemporalAwayException {
      RunAnswer answer = runs.ask(workflowId, runId);
      asked++;
      return answer;
    }
  }

  /** What is to be done about what is lost; a set is only ever started as a whole. */
  private static String again(@Nullable String workflowId) {
    return workflowId != null && workflowId.startsWith(PublishSetWorkflow.TYPE + "-")
        ? "it was a member of set "
            + workflowId.substring(PublishSetWorkflow.TYPE.length() + 1)
            + ", which is published as a whole or not at all; start the set again"
        : "trigger it again";
  }

  private static boolean isOfItsOwnWorkflow(SourceJob job) {
    return WorkflowIds.of(
            WorkflowIds.type(job.key().path()),
            job.key().source().team(),
            job.key().source().schemaId())
        .equals(job.workflowId());
  }

  private static RegisterResult lost(SourceJob job, String reason) {
    return new RegisterResult(
        RegisterStatus.FAILED,
        reason,
        FailureTypes.ATTEMPT_FENCED,
        job.key().attempt().attemptId(),
        job.generation(),
        job.schema(),
        job.table(),
        null,
        null,
        null,
        null);
  }
}
