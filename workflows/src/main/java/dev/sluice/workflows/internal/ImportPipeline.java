package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.LivePublication;
import dev.sluice.workflows.activity.OpenedAttempt;
import dev.sluice.workflows.activity.PublishActivities;
import dev.sluice.workflows.activity.PublishResult;
import dev.sluice.workflows.activity.StageInput;
import io.temporal.failure.ActivityFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes one trigger through the gate and, as an attempt, through the stages of its path. */
final class ImportPipeline {
  private final RegisterTrigger trigger;
  private final RunView view;
  private final AttemptRun run;

  /** The stages of a path, from the first look at the source to a passed verification. */
  interface PathStages {

    /**
     * Brings a generation in, up to where it can be published.
     *
     * @return what is verified, or the result of a generation that is not published
     */
    Verified verified(AttemptRef attempt);
  }

  /**
   * Where the stages of a path end.
   *
   * @param input what is verified; null when the generation is not to be published
   * @param ended what became of it then; null otherwise
   */
  record Verified(@Nullable StageInput input, @Nullable RegisterResult ended) {}

  ImportPipeline(RegisterTrigger trigger, RunView view) {
    this.trigger = trigger;
    this.view = view;
    this.run = new AttemptRun(trigger, view);
  }

  /**
   * Asks the gate; a gate that cannot answer is closed.
   *
   * @return why nothing may run; null when the gate is open
   */
  @Nullable String askGate() {
    view.enter(RegisterStage.GATE);
    String closed = GateQuestion.ask(trigger);
    view.note(closed == null ? "open" : "closed: " + closed);
    return closed;
  }

  /** Opens an attempt, or finds the generation live already. */
  OpenedAttempt open() {
    try {
      return run.open();
    } catch (ActivityFailure failure) {
      AttemptRun.rethrowIfCancelled(failure);
      throw failure;
    }
  }

  /** Runs the stages of an open attempt and closes it. */
  Outcome bringIn(AttemptRef attempt) {
    PathStages stages =
        switch (trigger.path()) {
          case REGISTER -> new RegisterStages(trigger, run, view);
          case COPY, MODEL -> new CopyStages(trigger, run, view);
        };
    return run.run(attempt, opened -> published(stages.verified(opened)));
  }

  private RegisterResult published(Verified verified) {
    RegisterResult ended = verified.ended();
    if (ended != null) {
      return ended;
    }
    return published(Objects.requireNonNull(verified.input(), "input"));
  }

  private RegisterResult published(StageInput input) {
    view.enter(RegisterStage.PUBLISH);
    PublishResult published =
        AttemptRun.stub(
                PublishActivities.class,
                StageOptions.PUBLISH,
                new StageTexts(input.trigger(), input.preparation()).publish())
            .publish(input);
    LivePublication publication = published.publication();
    return publication == null
        ? run.stale(String.valueOf(published.staleReason()))
        : run.published(publication);
  }
}
