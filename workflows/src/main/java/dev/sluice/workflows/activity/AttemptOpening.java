package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterTrigger;
import java.time.Instant;
import java.util.Objects;

/**
 * Input of opening an attempt.
 *
 * @param path the path it goes by
 * @param trigger what it brings in
 * @param startedAt when the run started, not the activity
 * @param workflowId id of the workflow
 * @param runId run that opens it; tells a repeated call from a new try
 * @param namespace the Temporal namespace of that run
 */
public record AttemptOpening(
    WorkflowPath path,
    RegisterTrigger trigger,
    Instant startedAt,
    String workflowId,
    String runId,
    String namespace) {

  /** Checks presence. */
  public AttemptOpening {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(trigger, "trigger");
    Objects.requireNonNull(startedAt, "startedAt");
    Objects.requireNonNull(workflowId, "workflowId");
    Objects.requireNonNull(runId, "runId");
    Objects.requireNonNull(namespace, "namespace");
  }
}
