package dev.sluice.worker.cli;

import dev.sluice.worker.wiring.TemporalConnection;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.WorkflowIds;
import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.TriggerSender;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowServiceException;
import org.jspecify.annotations.Nullable;

/**
 * How a trigger reached the register workflow of its source.
 *
 * @param workflowId the workflow
 * @param runId the run that was started; null when one that went on has been sent the trigger
 */
record RegisterStart(String workflowId, @Nullable String runId) {

  /**
   * Hands a trigger over, whether the workflow of its source runs or not.
   *
   * @param trigger one that keeps the rules for triggers: checked before anything is connected to,
   *     or once taken and kept since
   * @throws CommandException when it was not delivered
   */
  static RegisterStart submit(TemporalConnection temporal, RegisterTrigger trigger) {
    String workflowId = WorkflowIds.of(trigger);
    try {
      ChildStart start =
          new TriggerSender(temporal.client(), temporal.settings().queue()).send(trigger);
      return new RegisterStart(workflowId, start.runId());
    } catch (WorkflowNotFoundException closedAgainAndAgain) {
      throw CommandErrors.notDelivered(workflowId);
    } catch (WorkflowServiceException e) {
      throw CommandErrors.temporalAway(workflowId, e);
    }
  }

  /** What happened, to follow the workflow's id in a sentence. */
  String how() {
    return runId == null ? "was running and has been sent the trigger" : "started, run " + runId;
  }
}
