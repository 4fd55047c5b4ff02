package dev.sluice.workflows.internal;

import dev.sluice.workflows.FailureTypes;
import dev.sluice.workflows.ModelCopyInput;
import dev.sluice.workflows.ModelCopyResult;
import dev.sluice.workflows.ModelCopyWorkflow;
import dev.sluice.workflows.ModelResult;
import dev.sluice.workflows.RegisterProgress;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterTrigger;
import io.temporal.common.VersioningBehavior;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import io.temporal.workflow.WorkflowVersioningBehavior;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The workflow of models: a {@link SourceRun} after the other, each with its own outcome. */
public final class ModelCopyWorkflowImpl implements ModelCopyWorkflow {
  private final Deque<SourceRun> due = new ArrayDeque<>();
  private final List<RegisterTrigger> waiting = new ArrayList<>();
  private final List<ModelResult> results = new ArrayList<>();
  private @Nullable SourceRun current;
  private boolean begun;

  /** Made by Temporal, before the first signal is handled. */
  @WorkflowInit
  public ModelCopyWorkflowImpl(ModelCopyInput input) {
    for (RegisterTrigger model : input.models()) {
      due.add(new SourceRun(model, previous(input, model)));
    }
  }

  private static @Nullable RegisterResult previous(ModelCopyInput input, RegisterTrigger model) {
    return input.previous().stream()
        .filter(result -> result.savedQueryId().equals(model.sourceSchemaId()))
        .map(ModelResult::result)
        .findFirst()
        .orElse(null);
  }

  @Override
  @WorkflowVersioningBehavior(VersioningBehavior.PINNED)
  public ModelCopyResult run(ModelCopyInput input) {
    // All of them are written down before the first is taken: a run that dies leaves them to be
    // found.
    due.forEach(SourceRun::begin);
    begun = true;
    while (!due.isEmpty()) {
      take(due.remove());
      if (Workflow.getInfo().isContinueAsNewSuggested()) {
        break;
      }
    }
    // From here to the end nothing waits, so no trigger can come between unseen.
    List<RegisterTrigger> next = new ArrayList<>(waiting);
    due.forEach(model -> next.add(model.trigger()));
    if (!next.isEmpty()) {
      Workflow.continueAsNew(new ModelCopyInput(next, results));
    }
    return ended();
  }

  private void take(SourceRun model) {
    current = model;
    Outcome outcome = model.end((next, result) -> waiting.add(next));
    current = null;
    RegisterTrigger trigger = model.trigger();
    results.add(new ModelResult(trigger.sourceSchemaId(), trigger.table(), outcome.result()));
    if (outcome.failure() instanceof CanceledFailure cancelled) {
      throw cancelled;
    }
  }

  private ModelCopyResult ended() {
    ModelCopyResult result = ModelCopyResult.of(results);
    String summary =
        "published: %s; failed: %s".formatted(labels(result.published()), labels(result.failed()));
    Workflow.setCurrentDetails(Texts.oneLine(summary));
    if (result.failed().isEmpty()) {
      return result;
    }
    String reasons =
        result.models().stream()
            .filter(model -> result.failed().contains(model.label()))
            .map(model -> model.label() + ": " + model.result().reason())
            .collect(Collectors.joining("; "));
    throw ApplicationFailure.newBuilder()
        .setMessage(
            Texts.cut(
                "%d of %d models failed; %s; %s"
                    .formatted(result.failed().size(), result.models().size(), summary, reasons)))
        .setType(FailureTypes.MODELS_FAILED)
        .setNonRetryable(true)
        .setDetails(result)
        .build();
  }

  private static String labels(List<String> labels) {
    return labels.isEmpty() ? "none" : String.join(", ", labels);
  }

  @Override
  public void submit(RegisterTrigger arrived) {
    Optional<SourceRun> its = of(arrived);
    if (its.isPresent()) {
      its.get().submit(arrived);
      return;
    }
    SourceRun model = new SourceRun(arrived, null);
    due.add(model);
    if (begun) {
      model.begin();
    }
  }

  /** The model at hand or one that has yet to come; a model that has ended takes nothing more. */
  private Optional<SourceRun> of(RegisterTrigger arrived) {
    List<SourceRun> open = new ArrayList<>(due);
    if (current != null) {
      open.add(current);
    }
    return open.stream()
        .filter(model -> model.trigger().sourceSchemaId().equals(arrived.sourceSchemaId()))
        .filter(model -> model.trigger().team() == arrived.team())
        .findFirst();
  }

  @Override
  public RegisterProgress progress() {
    return current == null
        ? new RegisterProgress(
            RegisterStage.TRIGGER, "", null, null, null, 0, null, 0, null, null, null, null)
        : current.progress();
  }
}
