package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.GateActivities;
import dev.sluice.workflows.activity.GateCheck;
import dev.sluice.workflows.activity.WorkflowPath;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.TimeoutFailure;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * Asks the gate for one trigger. Whatever it answers is final, an error of its own included: that
 * is a closed gate. Only where nothing was heard at all, because the worker that asked has died, it
 * is asked again, by another worker.
 */
final class GateQuestion {
  /** A roll-out may kill the next worker too; a gate that hangs is given up after two minutes. */
  static final int TRIES = 3;

  /** Runs from before this was changed were closed when nothing was heard the first time. */
  private static final String ASKED_AGAIN = "gate-asked-again";

  private GateQuestion() {}

  /**
   * Asks.
   *
   * @return why nothing may run; null when the gate is open
   * @throws io.temporal.failure.CanceledFailure when the run was cancelled meanwhile
   */
  static @Nullable String ask(RegisterTrigger trigger) {
    GateActivities gate =
        AttemptRun.stub(
            GateActivities.class,
            StageOptions.GATE,
            "ask whether team %d may %s %s"
                .formatted(trigger.team(), verb(trigger.path()), Texts.source(trigger)));
    GateCheck question = new GateCheck(trigger.path(), trigger);
    for (int tries = 1; ; tries++) {
      try {
        return gate.check(question).closedReason();
      } catch (ActivityFailure failure) {
        AttemptRun.rethrowIfCancelled(failure);
        if (!(failure.getCause() instanceof TimeoutFailure) || tries == TRIES || !mayAskAgain()) {
          return Texts.gateNotAsked(failure, tries);
        }
      }
    }
  }

  private static String verb(WorkflowPath path) {
    return switch (path) {
      case REGISTER -> "register";
      case COPY, MODEL -> "copy";
    };
  }

  private static boolean mayAskAgain() {
    return Workflow.getVersion(ASKED_AGAIN, Workflow.DEFAULT_VERSION, 1) == 1;
  }
}
