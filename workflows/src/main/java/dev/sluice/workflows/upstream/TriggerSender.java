package dev.sluice.workflows.upstream;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hands triggers to the workflows of their sources from outside of any workflow, as a command line
 * or a reaper does; {@link ChildStarter} is for parents. Thread-safe.
 */
public final class TriggerSender {
  private final WorkflowClient client;
  private final String taskQueue;

  /** Makes a starter for workers that listen on the given task queue. */
  public TriggerSender(WorkflowClient client, String taskQueue) {
    this.client = Objects.requireNonNull(client, "client");
    this.taskQueue = Objects.requireNonNull(taskQueue, "taskQueue");
  }

  /**
   * Starts the workflow of the trigger's source, or signals the one that runs.
   *
   * @return how the trigger got there; with the run's id when one was started
   * @throws io.temporal.client.WorkflowServiceException when Temporal cannot be reached; the
   *     trigger is not delivered then
   * @throws WorkflowNotFoundException when the workflow closed between start and signal again and
   *     again; the trigger is not delivered then
   */
  public ChildStart send(RegisterTrigger trigger) {
    String workflowId = WorkflowIds.of(trigger);
    for (int tries = 1; ; tries++) {
      String runId = start(workflowId, trigger);
      if (runId != null) {
        return new ChildStart(
            workflowId,
            runId,
            tries == 1 ? ChildStart.Outcome.STARTED : ChildStart.Outcome.RESTARTED,
            tries);
      }
      try {
        client.newUntypedWorkflowStub(workflowId).signal(Starts.SUBMIT, trigger);
        return new ChildStart(workflowId, null, ChildStart.Outcome.SIGNALLED, tries);
      } catch (WorkflowNotFoundException closed) {
        if (tries == Starts.MAX_TRIES) {
          throw closed;
        }
      }
    }
  }

  /** Returns the run that was started; null when one of that id runs already. */
  private @Nullable String start(String workflowId, RegisterTrigger trigger) {
    WorkflowStub workflow =
        client.newUntypedWorkflowStub(
            WorkflowIds.type(trigger.path()),
            WorkflowOptions.newBuilder()
                .setWorkflowId(workflowId)
                .setWorkflowIdReusePolicy(
                    WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
                .setTaskQueue(taskQueue)
                .setStaticSummary(Starts.summary(trigger))
                .setStaticDetails(Starts.details(trigger))
                .build());
    try {
      return workflow.start(Starts.input(trigger)).getRunId();
    } catch (WorkflowExecutionAlreadyStarted running) {
      return null;
    }
  }
}
