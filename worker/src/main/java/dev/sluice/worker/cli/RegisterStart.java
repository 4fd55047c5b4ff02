package dev.sluice.worker.cli;

import dev.sluice.worker.wiring.TemporalConnection;
import dev.sluice.workflows.RegisterInput;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RegisterWorkflow;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands a trigger to the register workflow of its source, whether that runs or not.
 *
 * @param workflowId the workflow
 * @param how what happened, to follow its id in a sentence
 */
record RegisterStart(String workflowId, String how) {

  private static final Logger log = LoggerFactory.getLogger(RegisterStart.class);

  /** A run has to close between two of our steps each time. */
  private static final int TRIES = 5;

  static RegisterStart submit(TemporalConnection temporal, RegisterTrigger trigger) {
    String workflowId = WorkflowIds.register(trigger);
    WorkflowClient client = temporal.client();
    for (int tries = 0; tries < TRIES; tries++) {
      try {
        RegisterWorkflow workflow =
            client.newWorkflowStub(
                RegisterWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setWorkflowId(workflowId)
                    .setTaskQueue(temporal.settings().queue())
                    .build());
        WorkflowClient.start(workflow::run, RegisterInput.of(trigger));
        return new RegisterStart(workflowId, "started");
      } catch (WorkflowExecutionAlreadyStarted running) {
        try {
          client.newWorkflowStub(RegisterWorkflow.class, workflowId).submit(trigger);
          return new RegisterStart(workflowId, "was running and has been sent the trigger");
        } catch (WorkflowNotFoundException closed) {
          log.debug("{} ended in between, starting it again", workflowId, closed);
        }
      }
    }
    throw CommandErrors.notDelivered(workflowId);
  }
}
