package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterProgress;
import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterStage;
import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.SearchAttributes;
import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.InspectResult;
import dev.sluice.workflows.activity.LandResult;
import dev.sluice.workflows.activity.Preparation;
import io.temporal.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run shows of itself: search attributes, current details and the progress query. */
final class RunView {
  private RegisterTrigger trigger;
  private final Map<RegisterStage, String> notes = new LinkedHashMap<>();
  private RegisterStage stage = RegisterStage.TRIGGER;
  private @Nullable AttemptRef attempt;
  private @Nullable Preparation preparation;
  private @Nullable LandResult landed;
  private @Nullable InspectResult inspected;
  private @Nullable RegisterResult result;

  RunView(RegisterTrigger trigger) {
    this.trigger = trigger;
  }

  /** Sets what is known at the start and forgets what an earlier run of the chain left behind. */
  void start(@Nullable RegisterResult previous) {
    if (previous != null && previous.snapshotId() != null) {
      Workflow.upsertTypedSearchAttributes(SearchAttributes.SNAPSHOT.valueUnset());
    }
    Workflow.upsertTypedSearchAttributes(
        SearchAttributes.SOURCE.valueSet(
            SearchAttributes.source(trigger.team(), trigger.sourceSchemaId())),
        SearchAttributes.PHASE.valueSet(stage.word()));
    show();
  }

  void enter(RegisterStage next) {
    stage = next;
    Workflow.upsertTypedSearchAttributes(SearchAttributes.PHASE.valueSet(next.word()));
    show();
  }

  RegisterStage stage() {
    return stage;
  }

  void opened(AttemptRef ref) {
    attempt = ref;
    note("number " + ref.number());
  }

  void pinned(RegisterTrigger version) {
    trigger = version;
  }

  void prepared(Preparation resolved) {
    preparation = resolved;
    Workflow.upsertTypedSearchAttributes(
        SearchAttributes.TABLE.valueSet(resolved.schema() + "." + resolved.table()),
        SearchAttributes.LAKE.valueSet(resolved.lake()));
    note(Texts.size(resolved.files(), resolved.bytes()));
  }

  void landed(LandResult answer) {
    landed = answer;
    note(Texts.size(answer.files(), answer.bytes()));
  }

  void inspected(InspectResult answer) {
    inspected = answer;
    note(answer.rows() + " rows, " + answer.columns() + " columns");
  }

  void note(String text) {
    notes.put(stage, text);
    show();
  }

  void done(RegisterResult outcome) {
    result = outcome;
    stage = RegisterStage.DONE;
    Workflow.upsertTypedSearchAttributes(SearchAttributes.PHASE.valueSet(outcome.status().word()));
    if (outcome.snapshotId() != null) {
      Workflow.upsertTypedSearchAttributes(
          SearchAttributes.SNAPSHOT.valueSet(outcome.snapshotId()));
    }
    show();
  }

  RegisterProgress progress(@Nullable RegisterTrigger pending) {
    return new RegisterProgress(
        stage,
        trigger.attemptId(),
        attempt == null ? null : attempt.number(),
        preparation == null ? null : preparation.schema(),
        preparation == null ? null : preparation.table(),
        landed == null ? 0 : landed.files(),
        preparation == null ? null : preparation.files(),
        landed == null ? 0 : landed.bytes(),
        preparation == null ? null : preparation.bytes(),
        inspected == null ? null : inspected.rows(),
        pending == null ? null : pending.generation().value(),
        result);
  }

  private void show() {
    StringBuilder details = new StringBuilder();
    details
        .append("Generation `")
        .append(trigger.generation())
        .append("` of job `")
        .append(Texts.oneLine(trigger.jobId()))
        .append("`, source `")
        .append(Texts.oneLine(trigger.sourceType() + " " + trigger.table()))
        .append('`');
    if (preparation != null) {
      details
          .append(" into `")
          .append(preparation.schema())
          .append('.')
          .append(preparation.table())
          .append('`');
    }
    details.append("\n\n");
    notes.forEach(
        (noted, text) ->
            details
                .append("- **")
                .append(noted.word())
                .append("**: ")
                .append(Texts.oneLine(text))
                .append('\n'));
    if (result == null) {
      details.append("- **").append(stage.word()).append("** …\n");
    } else {
      details.append("\n**").append(result.status().word()).append("**");
      if (result.reason() != null) {
        details.append(": ").append(Texts.oneLine(result.reason()));
      }
      details.append('\n');
    }
    Workflow.setCurrentDetails(details.toString());
  }
}
