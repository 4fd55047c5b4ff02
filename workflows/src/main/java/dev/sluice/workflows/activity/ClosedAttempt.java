package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterResult;
import java.util.Objects;

/**
 * Answer of closing an attempt.
 *
 * @param result the outcome that is stored now; differs from what was asked when the attempt turned
 *     out to be published
 */
public record ClosedAttempt(RegisterResult result) {

  /** Checks presence. */
  public ClosedAttempt {
    Objects.requireNonNull(result, "result");
  }
}
