package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterTrigger;
import java.util.Objects;

/**
 * Input of prepare.
 *
 * @param trigger what is to be brought in
 * @param attempt the running attempt
 */
public record PrepareInput(RegisterTrigger trigger, AttemptRef attempt) {

  /** Checks presence. */
  public PrepareInput {
    Objects.requireNonNull(trigger, "trigger");
    Objects.requireNonNull(attempt, "attempt");
  }
}
