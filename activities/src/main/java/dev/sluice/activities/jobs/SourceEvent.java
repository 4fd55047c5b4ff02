package dev.sluice.activities.jobs;

import dev.sluice.workflows.activity.WorkflowPath;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the append-only history of a source.
 *
 * @param at when it was written; the database's clock
 * @param path the path it is about
 * @param source the source it is about
 * @param kind what it tells
 * @param attemptId attempt it belongs to; null when it is about the source alone
 * @param attemptNumber number of the attempt; null when none was opened
 * @param reason why, in a sentence; null when the kind says it all
 * @param workflowId workflow that wrote it; null outside a workflow
 * @param runId run that wrote it; null outside a workflow
 */
public record SourceEvent(
    Instant at,
    WorkflowPath path,
    SourceRef source,
    EventKind kind,
    @Nullable String attemptId,
    @Nullable Integer attemptNumber,
    @Nullable String reason,
    @Nullable String workflowId,
    @Nullable String runId) {

  /** Checks presence. */
  public SourceEvent {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(kind, "kind");
  }
}
