package dev.sluice.worker.cli;

import dev.sluice.worker.wiring.TemporalConnection;
import dev.sluice.workflows.naming.SummaryText;
import io.temporal.client.WorkflowOptions;
import java.util.Map;

/** Workflows that a command starts by hand. */
final class WorkflowStubs {

  private static final String REQUEST = "request";

  private WorkflowStubs() {}

  /**
   * A workflow that is yet to be started.
   *
   * @param workflowId what it is about; at most one of that id runs
   * @param summary one line for the Temporal UI
   * @param request what it was asked for, in a line that {@link #runsFor} compares
   */
  static <W> W of(
      TemporalConnection temporal,
      Class<W> workflow,
      String workflowId,
      String summary,
      String request) {
    return temporal
        .client()
        .newWorkflowStub(
            workflow,
            WorkflowOptions.newBuilder()
                .setWorkflowId(workflowId)
                .setTaskQueue(temporal.settings().queue())
                .setStaticSummary(SummaryText.line(summary))
                .setMemo(Map.of(REQUEST, request))
                .build());
  }

  /** Whether the newest run of a workflow was asked for the same, and so can be followed. */
  static boolean runsFor(TemporalConnection temporal, String workflowId, String request) {
    Object running =
        temporal
            .client()
            .newUntypedWorkflowStub(workflowId)
            .describe()
            .getMemo(REQUEST, String.class);
    return request.equals(running);
  }
}
