package dev.sluice.activities.temporal;

import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.HistoryEventFilterType;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.enums.v1.PendingWorkflowTaskState;
import io.temporal.api.errordetails.v1.NamespaceNotFoundFailure;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionTerminatedEventAttributes;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflow.v1.PendingWorkflowTaskInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.StatusUtils;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks Temporal about runs, one call each and without retries. Thread-safe. */
final class TemporalRuns {
  private static final Logger log = LoggerFactory.getLogger(TemporalRuns.class);

  /** A front end that is there answers within milliseconds. */
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private final WorkflowClient client;

  TemporalRuns(WorkflowClient client) {
    this.client = client;
  }

  /** Nothing can be said about any run now. */
  static final class TemporalAwayException extends Exception {
    private static final long serialVersionUID = 1L;

    TemporalAwayException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  String namespace() {
    return client.getOptions().getNamespace();
  }

  /**
   * Asks about a run.
   *
   * @param runId the run; null for the newest of its workflow
   * @throws TemporalAwayException when the answer is not about the run: the service cannot be
   *     reached, does not know the namespace or refuses to answer
   */
  RunAnswer ask(String workflowId, @Nullable String runId) throws TemporalAwayException {
    DescribeWorkflowExecutionResponse described;
    try {
      described =
          client
              .getWorkflowServiceStubs()
              .blockingStub()
              .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
              .describeWorkflowExecution(
                  DescribeWorkflowExecutionRequest.newBuilder()
                      .setNamespace(namespace())
                      .setExecution(execution(workflowId, runId))
                      .build());
    } catch (StatusRuntimeException e) {
      if (isNoSuchRun(e)) {
        return new RunAnswer.Unknown();
      }
      throw new TemporalAwayException(
          "Temporal namespace " + namespace() + ": " + e.getStatus(), e);
    }
    WorkflowExecution asked = described.getWorkflowExecutionInfo().getExecution();
    return switch (described.getWorkflowExecutionInfo().getStatus()) {
      case WORKFLOW_EXECUTION_STATUS_COMPLETED -> ended("completed without closing it");
      case WORKFLOW_EXECUTION_STATUS_FAILED -> ended("failed without closing it");
      case WORKFLOW_EXECUTION_STATUS_CANCELED -> ended("was cancelled");
      case WORKFLOW_EXECUTION_STATUS_TERMINATED -> ended("was terminated" + byWhom(asked));
      case WORKFLOW_EXECUTION_STATUS_TIMED_OUT -> ended("timed out");
      case WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW ->
          new RunAnswer.Ended(true, "handed over to another run without closing it");
      // Whatever else there is or will be: only what is known to have ended is closed.
      default -> new RunAnswer.Open(asked.getRunId(), note(described));
    };
  }

  private static RunAnswer ended(String how) {
    return new RunAnswer.Ended(false, how);
  }

  /** A namespace that is not there has the same status code as a run that is not there. */
  private static boolean isNoSuchRun(StatusRuntimeException e) {
    return e.getStatus().getCode() == Status.Code.NOT_FOUND
        && !StatusUtils.hasFailure(e, NamespaceNotFoundFailure.class);
  }

  /** Who terminated it and why; empty when that cannot be found out. */
  private String byWhom(WorkflowExecution run) {
    try {
      List<HistoryEvent> last =
          client
              .getWorkflowServiceStubs()
              .blockingStub()
              .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
              .getWorkflowExecutionHistory(
                  GetWorkflowExecutionHistoryRequest.newBuilder()
                      .setNamespace(namespace())
                      .setExecution(run)
                      .setHistoryEventFilterType(
                          HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
                      .build())
              .getHistory()
              .getEventsList();
      if (last.isEmpty() || !last.getLast().hasWorkflowExecutionTerminatedEventAttributes()) {
        return "";
      }
      WorkflowExecutionTerminatedEventAttributes end =
          last.getLast().getWorkflowExecutionTerminatedEventAttributes();
      String by = end.getIdentity().isEmpty() ? "" : " by " + end.getIdentity();
      return end.getReason().isEmpty() ? by : by + " (" + end.getReason() + ")";
    } catch (StatusRuntimeException e) {
      log.debug("nobody says why {} was terminated", run.getWorkflowId(), e);
      return "";
    }
  }

  private static WorkflowExecution execution(String workflowId, @Nullable String runId) {
    WorkflowExecution.Builder execution = WorkflowExecution.newBuilder().setWorkflowId(workflowId);
    if (runId != null) {
      execution.setRunId(runId);
    }
    return execution.build();
  }

  private static @Nullable String note(DescribeWorkflowExecutionResponse run) {
    if (run.getPendingActivitiesCount() > 0) {
      return note(run.getPendingActivities(run.getPendingActivitiesCount() - 1));
    }
    PendingWorkflowTaskInfo task = run.getPendingWorkflowTask();
    return run.hasPendingWorkflowTask()
            && task.getState() == PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_SCHEDULED
        ? "its workflow waits for a worker since " + time(task.getOriginalScheduledTime())
        : null;
  }

  private static String note(PendingActivityInfo activity) {
    String stage = "stage " + activity.getActivityType().getName();
    if (activity.getState() != PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED) {
      return activity.hasLastHeartbeatTime()
          ? stage + ", last sign of life " + time(activity.getLastHeartbeatTime())
          : stage + " since " + time(activity.getLastStartedTime());
    }
    return activity.getAttempt() > 1
        ? stage
            + " is tried again, try "
            + activity.getAttempt()
            + ": "
            + activity.getLastFailure().getMessage()
        : stage + " waits for a worker since " + time(activity.getScheduledTime());
  }

  private static Instant time(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds());
  }
}
