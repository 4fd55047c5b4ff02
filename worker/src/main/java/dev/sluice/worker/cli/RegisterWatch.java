package dev.sluice.worker.cli;

import dev.sluice.workflows.ModelCopyResult;
import dev.sluice.workflows.RegisterProgress;
import dev.sluice.workflows.RegisterResult;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowTargetOptions;
import java.io.PrintWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Follows the workflow of a source to its end and shows its progress. */
final class RegisterWatch {

  private static final long LOOK_EVERY_MILLIS = 300;

  private final WorkflowClient client;
  private final PrintWriter err;
  private String shown = "";

  /** Prints a line whenever something has changed. */
  RegisterWatch(WorkflowClient client, PrintWriter err) {
    this.client = client;
    this.err = err;
  }

  /**
   * Waits for the workflow and whatever runs it hands over to.
   *
   * @param runId the run to begin with; null for the newest
   * @return the last outcome, also of a failed run
   * @throws WorkflowException when the workflow ended without an outcome, e.g. terminated
   */
  RegisterResult follow(String workflowId, @Nullable String runId) {
    return follow(
        workflowId,
        runId,
        RegisterResult.class,
        failure ->
            RegisterResult.ofFailure(failure)
                .orElseThrow(() -> CommandErrors.workflowFailed(workflowId, failure)));
  }

  /**
   * Waits for a workflow that begins no other.
   *
   * @throws CommandException when it failed, with its own words and the exit code of its reason
   */
  RegisterResult followOrThrow(String workflowId) {
    return follow(
        workflowId,
        null,
        RegisterResult.class,
        failure -> {
          throw CommandErrors.ended(workflowId, failure);
        });
  }

  /**
   * Waits for a workflow of models and whatever runs it hands over to.
   *
   * @param runId the run to begin with; null for the newest
   * @return the last outcome, also of a run of which models failed
   * @throws WorkflowException when the workflow ended without an outcome, e.g. terminated
   */
  ModelCopyResult followModels(String workflowId, @Nullable String runId) {
    return follow(
        workflowId,
        runId,
        ModelCopyResult.class,
        failure ->
            ModelCopyResult.ofFailure(failure)
                .orElseThrow(() -> CommandErrors.workflowFailed(workflowId, failure)));
  }

  private <T> T follow(
      String workflowId,
      @Nullable String runId,
      Class<T> type,
      Function<ExecutionException, T> ofFailure) {
    WorkflowStub stub = client.newUntypedWorkflowStub(target(workflowId, runId));
    try {
      return await(workflowId, stub.getResultAsync(type));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandErrors.interrupted(workflowId, e);
    } catch (ExecutionException e) {
      return ofFailure.apply(e);
    }
  }

  private <T> T await(String workflowId, CompletableFuture<T> result)
      throws InterruptedException, ExecutionException {
    while (true) {
      try {
        return result.get(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException stillRunning) {
        show(workflowId);
      }
    }
  }

  private static WorkflowTargetOptions target(String workflowId, @Nullable String runId) {
    WorkflowTargetOptions.Builder target =
        WorkflowTargetOptions.newBuilder().setWorkflowId(workflowId);
    if (runId != null) {
      target.setRunId(runId);
    }
    return target.build();
  }

  private void show(String workflowId) {
    String line;
    try {
      RegisterProgress progress =
          client.newUntypedWorkflowStub(workflowId).query("progress", RegisterProgress.class);
      line = ProgressText.line(progress);
    } catch (WorkflowException notReady) {
      line = "waiting for a worker";
    }
    if (line.equals(shown)) {
      return;
    }
    err.println(line);
    err.flush();
    shown = line;
  }
}
