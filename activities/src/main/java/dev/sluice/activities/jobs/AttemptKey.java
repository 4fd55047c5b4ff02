package dev.sluice.activities.jobs;

import dev.sluice.workflows.activity.AttemptRef;
import dev.sluice.workflows.activity.WorkflowPath;
import java.util.Objects;

/**
 * Names one attempt among all sources.
 *
 * @param path the path it went by
 * @param source the source it is about
 * @param attempt attempt id and number
 */
public record AttemptKey(WorkflowPath path, SourceRef source, AttemptRef attempt) {

  /** Checks presence. */
  public AttemptKey {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(attempt, "attempt");
  }

  @Override
  public String toString() {
    return source + ", " + path.word() + " attempt " + attempt.key();
  }
}
