package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterTrigger;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A trigger and what became of it.
 *
 * @param path the path it came by
 * @param trigger the trigger
 * @param disposition what the run does with it
 * @param reason why, in a sentence; null for {@code RUNNING} and {@code PENDING}
 * @param workflowId id of the workflow that holds it
 * @param runId run that holds it, for looking it up in Temporal; never part of a key
 * @param namespace the Temporal namespace of that run
 * @param runStartedAt when that run started; of two runs that wrote a trigger the later one counts
 */
public record TriggerRecord(
    WorkflowPath path,
    RegisterTrigger trigger,
    TriggerDisposition disposition,
    @Nullable String reason,
    String workflowId,
    String runId,
    String namespace,
    Instant runStartedAt) {

  /** Checks presence. */
  public TriggerRecord {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(trigger, "trigger");
    Objects.requireNonNull(disposition, "disposition");
    Objects.requireNonNull(workflowId, "workflowId");
    Objects.requireNonNull(runId, "runId");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(runStartedAt, "runStartedAt");
  }
}
