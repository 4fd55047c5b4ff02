package dev.sluice.activities.jobs;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.WorkflowPath;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A trigger as it is written down; complete enough to start its run again.
 *
 * @param path the path it came by
 * @param trigger what was asked for
 * @param state where it stands
 * @param reason why; null while it runs or waits
 * @param workflowId workflow that holds or held it
 * @param runId run that holds or held it
 * @param namespace Temporal namespace of that run
 * @param receivedAt when it was first written down
 * @param updatedAt when it last changed
 */
public record StoredTrigger(
    WorkflowPath path,
    RegisterTrigger trigger,
    TriggerState state,
    @Nullable String reason,
    String workflowId,
    String runId,
    String namespace,
    Instant receivedAt,
    Instant updatedAt) {

  /** Checks presence. */
  public StoredTrigger {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(trigger, "trigger");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(workflowId, "workflowId");
    Objects.requireNonNull(runId, "runId");
    Objects.requireNonNull(namespace, "namespace");
  }
}
