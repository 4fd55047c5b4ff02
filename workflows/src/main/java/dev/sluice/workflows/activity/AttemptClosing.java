package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterResult;
import dev.sluice.workflows.RegisterTrigger;
import java.util.Objects;

/**
 * Input of closing an attempt.
 *
 * @param path the path it went by
 * @param trigger what it brought in
 * @param attempt the attempt
 * @param result its outcome; the reason of a failed one is its error text, at most 2000 characters
 */
public record AttemptClosing(
    WorkflowPath path, RegisterTrigger trigger, AttemptRef attempt, RegisterResult result) {

  /** Checks presence. */
  public AttemptClosing {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(trigger, "trigger");
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(result, "result");
  }
}
