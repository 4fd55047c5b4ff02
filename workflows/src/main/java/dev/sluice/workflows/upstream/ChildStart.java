package dev.sluice.workflows.upstream;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says how a trigger reached the workflow of its source.
 *
 * @param workflowId id of the workflow
 * @param runId the run that was started; null when a running one was signalled
 * @param outcome what happened
 * @param tries starts that were tried, from 1
 */
public record ChildStart(String workflowId, @Nullable String runId, Outcome outcome, int tries) {

  /** What happened to the trigger. */
  public enum Outcome {
    /** A new run was started with it. */
    STARTED,
    /** A run went on already and was sent the trigger. */
    SIGNALLED,
    /** The run that went on closed before it could be signalled, and a new one was started. */
    RESTARTED;

    /** Returns the outcome as it is printed, in lower case. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks presence. */
  public ChildStart {
    Objects.requireNonNull(workflowId, "workflowId");
    Objects.requireNonNull(outcome, "outcome");
  }
}
