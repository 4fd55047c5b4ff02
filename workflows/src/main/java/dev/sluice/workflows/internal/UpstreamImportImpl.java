package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.Workflows;
import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.ChildStarter;
import dev.sluice.workflows.upstream.ImportTableInput;
import dev.sluice.workflows.upstream.ImportedTable;
import dev.sluice.workflows.upstream.UpstreamImport;
import dev.sluice.workflows.upstream.UpstreamImportActivities;
import dev.sluice.workflows.upstream.UpstreamImportInput;
import dev.sluice.workflows.upstream.UpstreamImportResult;
import dev.sluice.workflows.upstream.UpstreamTable;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.common.VersioningBehavior;
import io.temporal.workflow.WorkflowVersioningBehavior;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The sample upstream import. Restartable from its first task. */
public final class UpstreamImportImpl implements UpstreamImport {
  /** A sample's table is small; three attempts ride out a store that is away for a moment. */
  private static final ActivityOptions IMPORT =
      ActivityOptions.newBuilder()
          .setStartToCloseTimeout(Duration.ofHours(1))
          .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(3).build())
          .build();

  @Override
  @WorkflowVersioningBehavior(VersioningBehavior.PINNED)
  public UpstreamImportResult run(UpstreamImportInput input) {
    List<RegisterTrigger> triggers = new ArrayList<>();
    HandedOn shown = new HandedOn("Imported", input.tables().size());
    for (UpstreamTable table : input.tables()) {
      RegisterTrigger trigger = importTable(input, table);
      triggers.add(trigger);
      shown.made(trigger);
    }
    ChildStarter starter =
        ChildStarter.onTaskQueue(
            input.registerTaskQueue() == null ? Workflows.TASK_QUEUE : input.registerTaskQueue());
    List<ChildStart> starts = new ArrayList<>();
    for (RegisterTrigger trigger : triggers) {
      ChildStart start = starter.send(trigger);
      starts.add(start);
      shown.sent(trigger, start);
    }
    return new UpstreamImportResult(starts);
  }

  private static RegisterTrigger importTable(UpstreamImportInput input, UpstreamTable table) {
    UpstreamImportActivities activities =
        AttemptRun.stub(
            UpstreamImportActivities.class,
            IMPORT,
            "import %s %s of team %d".formatted(input.sourceType(), table.table(), input.team()));
    ImportedTable imported =
        activities.importTable(
            new ImportTableInput(
                input.team(), input.jobId(), input.sourceType(), input.prefix(), table));
    String preparedFolder = imported.preparedFolder();
    if (preparedFolder == null) {
      return RegisterTrigger.copy(
          input.team(),
          input.jobId(),
          table.sourceSchemaId(),
          input.sourceType(),
          input.prefix(),
          table.table(),
          imported.order(),
          input.lake(),
          input.options());
    }
    return new RegisterTrigger(
        input.team(),
        input.jobId(),
        table.sourceSchemaId(),
        input.sourceType(),
        input.prefix(),
        table.table(),
        preparedFolder,
        imported.order(),
        input.lake(),
        input.options());
  }
}
