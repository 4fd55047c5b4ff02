package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterTrigger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Input of preparing a copy.
 *
 * @param trigger what is to be brought in
 * @param attempt the running attempt
 * @param patience whether a log that is being rebuilt may be waited for
 * @param goneVersion the version of which a file vanished while it was copied, so that a newer one
 *     is needed; null the first time
 */
public record CopyPrepareInput(
    RegisterTrigger trigger, AttemptRef attempt, Patience patience, @Nullable Long goneVersion) {

  /** Whether there is time left. */
  public enum Patience {
    /** What may still come is waited for. */
    WAIT,
    /** What is not there now is refused. */
    EXHAUSTED
  }

  /** Checks presence. */
  public CopyPrepareInput {
    Objects.requireNonNull(trigger, "trigger");
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(patience, "patience");
  }
}
