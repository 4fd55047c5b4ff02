package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.InspectActivities;
import dev.sluice.workflows.activity.InspectResult;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.LandActivities;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.PrepareActivities;
import dev.sluice.workflows.activity.PrepareInput;
import dev.sluice.workflows.activity.PrepareResult;
import dev.sluice.workflows.activity.StageInput;
import dev.sluice.workflows.activity.TriggerDisposition;
import dev.sluice.workflows.activity.TriggerRecord;
import dev.sluice.workflows.activity.VerifyActivities;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One source of a set on its way to the common publication. */
final class SetMember {
  private final RegisterTrigger trigger;
  private @Nullable AttemptRef attempt;
  private @Nullable Preparation preparation;
  private @Nullable RegisterResult result;
  private boolean verified;
  private boolean refused;

  SetMember(RegisterTrigger trigger) {
    this.trigger = trigger;
  }

  RegisterTrigger trigger() {
    return trigger;
  }

  /** What became of it; null while it is on its way. */
  @Nullable RegisterResult result() {
    return result;
  }

  /** Whether it waits for the publication, or is live already. */
  boolean isReady() {
    return verified || result != null;
  }

  /** Whether its trigger could not be put in order. */
  boolean isRefused() {
    return refused;
  }

  /** Whether its content is to be published with the set. */
  boolean isToBePublished() {
    return attempt != null && result == null;
  }

  /** Where it goes; null before that is known. */
  @Nullable Preparation preparation() {
    return preparation;
  }

  StageInput input() {
    return new StageInput(
        trigger,
        Objects.requireNonNull(attempt, "attempt"),
        Objects.requireNonNull(preparation, "preparation"));
  }

  /** Writes the trigger down; what was decided about it instead is the answer. */
  TriggerDisposition record(TriggerDisposition disposition, @Nullable String reason) {
    WorkflowInfo info = Workflow.getInfo();
    TriggerDisposition stored =
        AttemptRun.stub(
                JobActivities.class,
                StageOptions.JOBS,
                TriggerJournal.summary(trigger, disposition))
            .recordTrigger(
                new TriggerRecord(
                    trigger.path(),
                    trigger,
                    disposition,
                    reason,
                    info.getWorkflowId(),
                    info.getRunId(),
                    info.getNamespace(),
                    Instant.ofEpochMilli(info.getRunStartedTimestampMillis())))
            .disposition();
    refused = stored == TriggerDisposition.REFUSED;
    return stored;
  }

  /** Why nothing may run; null when the gate is open. */
  @Nullable String closedReason() {
    return GateQuestion.ask(trigger);
  }

  void open() {
    OpenedAttempt opened = AttemptRun.open(trigger);
    attempt = opened.attempt();
    LivePublication live = opened.live();
    if (live != null) {
      result =
          Results.completed(trigger, live, "already published as snapshot " + live.snapshotId());
    }
  }

  /** Takes the member up to a passed verification; the reason is that it is stale, else null. */
  @Nullable String bringIn() {
    PrepareResult prepared =
        AttemptRun.stub(PrepareActivities.class, StageOptions.PREPARE, StageTexts.find(trigger))
            .prepare(new PrepareInput(trigger, Objects.requireNonNull(attempt, "attempt")));
    preparation = prepared.preparation();
    if (preparation == null) {
      return String.valueOf(prepared.staleReason());
    }
    StageTexts texts = new StageTexts(trigger, preparation);
    AttemptRun.stub(LandActivities.class, StageOptions.LAND, texts.land()).land(input());
    InspectResult inspected =
        AttemptRun.stub(InspectActivities.class, StageOptions.INSPECT, texts.inspect())
            .inspect(input());
    AttemptRun.stub(VerifyActivities.class, StageOptions.VERIFY, texts.verify(inspected.rows()))
        .verify(input());
    verified = true;
    return null;
  }

  /** How far it is, in a line of Markdown. */
  String state() {
    StringBuilder line = new StringBuilder();
    line.append('`').append(Texts.oneLine(Texts.source(trigger))).append('`');
    line.append(" generation `").append(trigger.generation()).append('`');
    if (preparation != null) {
      line.append(" into `").append(Texts.target(preparation)).append("`, ");
      line.append(Texts.size(preparation.files(), preparation.bytes()));
    }
    if (result != null) {
      line.append(": **").append(result.status().word()).append("**");
      if (result.reason() != null) {
        line.append(", ").append(Texts.oneLine(result.reason()));
      }
    } else if (verified) {
      line.append(": verified");
    } else if (attempt != null) {
      line.append(": attempt ").append(attempt.number());
    }
    return line.toString();
  }

  /** Gives an open attempt its outcome; the job table may know better. */
  void close(RegisterStatus status, @Nullable String reason, @Nullable LivePublication live) {
    RegisterResult asked =
        live == null
            ? Results.unpublished(trigger, preparation, status, Texts.cut(String.valueOf(reason)))
            : Results.completed(trigger, live, reason);
    AttemptRef open = attempt;
    result = open == null ? asked : AttemptRun.close(trigger, open, asked);
  }
}
