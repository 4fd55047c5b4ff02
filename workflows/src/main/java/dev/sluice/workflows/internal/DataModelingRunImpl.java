package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.Workflows;
import dev.sluice.workflows.upstream.ChildStart;
import dev.sluice.workflows.upstream.ChildStarter;
import dev.sluice.workflows.upstream.DataModelingActivities;
import dev.sluice.workflows.upstream.DataModelingInput;
import dev.sluice.workflows.upstream.DataModelingResult;
import dev.sluice.workflows.upstream.DataModelingRun;
import dev.sluice.workflows.upstream.MaterializeModelInput;
import dev.sluice.workflows.upstream.MaterializedModel;
import dev.sluice.workflows.upstream.UpstreamModel;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.common.VersioningBehavior;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowVersioningBehavior;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;

/** The sample upstream's materializations. Restartable from its first task. */
public final class DataModelingRunImpl implements DataModelingRun {
  private static final Logger log = Workflow.getLogger(DataModelingRunImpl.class);

  /** A sample's query is small; three attempts ride out a store that is away for a moment. */
  private static final ActivityOptions MATERIALIZE =
      ActivityOptions.newBuilder()
          .setStartToCloseTimeout(Duration.ofHours(1))
          .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(3).build())
          .build();

  @Override
  @WorkflowVersioningBehavior(VersioningBehavior.PINNED)
  public DataModelingResult run(DataModelingInput input) {
    ChildStarter starter =
        ChildStarter.onTaskQueue(
            input.taskQueue() == null ? Workflows.TASK_QUEUE : input.taskQueue());
    List<ChildStart> copies = new ArrayList<>();
    List<String> notStarted = new ArrayList<>();
    HandedOn shown = new HandedOn("Materialized", input.models().size());
    for (UpstreamModel model : input.models()) {
      RegisterTrigger trigger = materialized(input, model);
      shown.made(trigger);
      try {
        ChildStart start = starter.send(trigger);
        copies.add(start);
        shown.sent(trigger, start);
      } catch (ApplicationFailure | ChildWorkflowFailure failure) {
        log.warn("the copy of model {} was not started", model.label(), failure);
        notStarted.add(model.label() + ": " + reason(failure));
        shown.notSent(trigger, reason(failure));
      }
    }
    return new DataModelingResult(copies, notStarted);
  }

  private static String reason(TemporalFailure failure) {
    String message = failure.getOriginalMessage();
    return Texts.cut(message == null ? String.valueOf(failure.getMessage()) : message);
  }

  private static RegisterTrigger materialized(DataModelingInput input, UpstreamModel model) {
    MaterializedModel made =
        AttemptRun.stub(
                DataModelingActivities.class,
                MATERIALIZE,
                "materialize model %s of team %d".formatted(model.label(), input.team()))
            .materialize(new MaterializeModelInput(input.team(), input.jobId(), model));
    return RegisterTrigger.model(
        input.team(),
        input.jobId(),
        model.savedQueryId(),
        model.queryName(),
        model.label(),
        made.tableUri(),
        made.order(),
        input.lake(),
        null);
  }
}
