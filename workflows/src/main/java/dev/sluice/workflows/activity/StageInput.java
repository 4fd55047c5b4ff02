package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterTrigger;
import java.util.Objects;

/**
 * Input of every stage after prepare.
 *
 * @param trigger what is brought in
 * @param attempt the running attempt
 * @param preparation what prepare resolved, with the ledger's key
 */
public record StageInput(RegisterTrigger trigger, AttemptRef attempt, Preparation preparation) {

  /** Checks presence. */
  public StageInput {
    Objects.requireNonNull(trigger, "trigger");
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(preparation, "preparation");
  }
}
