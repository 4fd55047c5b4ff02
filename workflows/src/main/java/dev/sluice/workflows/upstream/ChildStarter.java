package dev.sluice.workflows.upstream;

import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.Workflows;
import dev.sluice.workflows.naming.WorkflowIds;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.api.enums.v1.SignalExternalWorkflowExecutionFailedCause;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.ChildWorkflowStub;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * Starts the workflows of sources out of a parent workflow. Temporal cannot signal-with-start a
 * child, so this does it in steps: start the child and wait until it has started; when one of its
 * id runs already, signal that; when it has closed in between, start again.
 *
 * <p>Children outlive the parent. To be used in workflow code only; deterministic.
 */
public final class ChildStarter {
  /**
   * The type of what the SDK throws when no workflow of the id runs; its documentation is silent.
   */
  private static final String NOT_FOUND =
      SignalExternalWorkflowExecutionFailedCause
          .SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND
          .name();

  private final String taskQueue;

  private ChildStarter(String taskQueue) {
    this.taskQueue = taskQueue;
  }

  /** Returns a starter for workers that listen on Sluice's own task queue. */
  public static ChildStarter create() {
    return onTaskQueue(Workflows.TASK_QUEUE);
  }

  /** Returns a starter for workers that listen on the given task queue. */
  public static ChildStarter onTaskQueue(String taskQueue) {
    return new ChildStarter(taskQueue);
  }

  /**
   * Hands a trigger to the workflow of its source and path, whether that runs or not.
   *
   * @throws ApplicationFailure of type {@link FailureTypes#CHILD_NOT_STARTED} when the workflow
   *     closed between the steps again and again
   * @throws ChildWorkflowFailure when Temporal refuses the child for another reason
   */
  public ChildStart send(RegisterTrigger trigger) {
    String workflowId = WorkflowIds.of(trigger);
    for (int tries = 1; tries <= Starts.MAX_TRIES; tries++) {
      String runId = start(workflowId, trigger);
      if (runId != null) {
        return new ChildStart(
            workflowId,
            runId,
            tries == 1 ? ChildStart.Outcome.STARTED : ChildStart.Outcome.RESTARTED,
            tries);
      }
      if (signal(workflowId, trigger)) {
        return new ChildStart(workflowId, null, ChildStart.Outcome.SIGNALLED, tries);
      }
    }
    throw ApplicationFailure.newNonRetryableFailure(
        "workflow "
            + workflowId
            + ": the trigger of generation "
            + trigger.generation()
            + " was not delivered; the workflow closed between start and signal "
            + Starts.MAX_TRIES
            + " times; send the trigger again",
        FailureTypes.CHILD_NOT_STARTED);
  }

  /** Returns the run that was started; null when one of that id runs already. */
  private @Nullable String start(String workflowId, RegisterTrigger trigger) {
    ChildWorkflowStub child =
        Workflow.newUntypedChildWorkflowStub(
            WorkflowIds.type(trigger.path()),
            ChildWorkflowOptions.newBuilder()
                .setWorkflowId(workflowId)
                .setWorkflowIdReusePolicy(
                    WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
                .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON)
                .setTaskQueue(taskQueue)
                .setStaticSummary(Starts.summary(trigger))
                .setStaticDetails(Starts.details(trigger))
                .build());
    Promise<WorkflowExecution> started = child.getExecution();
    // Nobody waits for the result: the job table has it, and the parent may be gone by then.
    child.executeAsync(RegisterResult.class, Starts.input(trigger));
    try {
      return started.get().getRunId();
    } catch (ChildWorkflowFailure failure) {
      if (failure.getCause() instanceof WorkflowExecutionAlreadyStarted) {
        return null;
      }
      throw failure;
    }
  }

  /** Tells whether the signal was taken; false when nothing of that id runs any more. */
  private static boolean signal(String workflowId, RegisterTrigger trigger) {
    try {
      Workflow.newUntypedExternalWorkflowStub(workflowId).signal(Starts.SUBMIT, trigger);
      return true;
    } catch (ApplicationFailure failure) {
      if (failure.getType().equals(NOT_FOUND)) {
        return false;
      }
      throw failure;
    }
  }
}
