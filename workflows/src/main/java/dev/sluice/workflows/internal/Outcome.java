package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterResult;
import io.temporal.failure.TemporalFailure;
import org.jspecify.annotations.Nullable;

/**
 * How a trigger ended.
 *
 * @param result the outcome that was written down
 * @param failure what the run ends with when nothing waits; null when it ends well
 */
record Outcome(RegisterResult result, @Nullable TemporalFailure failure) {

  /** Returns an outcome after which the run ends well. */
  static Outcome of(RegisterResult result) {
    return new Outcome(result, null);
  }

  /** Returns the result, or ends the run with its failure. */
  RegisterResult resultOrThrow() {
    if (failure != null) {
      throw failure;
    }
    return result;
  }
}
