package dev.sluice.worker.cli;

import dev.sluice.worker.wiring.TemporalConnection;
import io.temporal.client.WorkflowOptions;

/** Workflows that a command starts by hand. */
final class WorkflowStubs {

  private WorkflowStubs() {}

  /**
   * A workflow that is yet to be started.
   *
   * @param workflowId what it is about; at most one of that id runs
   * @param summary one line for the Temporal UI
   */
  static <W> W of(
      TemporalConnection temporal, Class<W> workflow, String workflowId, String summary) {
    return temporal
        .client()
        .newWorkflowStub(
            workflow,
            WorkflowOptions.newBuilder()
                .setWorkflowId(workflowId)
                .setTaskQueue(temporal.settings().queue())
                .setStaticSummary(summary)
                .build());
  }
}
