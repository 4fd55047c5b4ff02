package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.RollbackRequest;
import java.util.Objects;

/**
 * Input of preparing a rollback.
 *
 * @param request what was asked for
 * @param trigger stands for the generation, from the plan
 * @param attempt the running attempt
 * @param snapshot the publication that is brought back
 */
public record RestoreInput(
    RollbackRequest request, RegisterTrigger trigger, AttemptRef attempt, long snapshot) {

  /** Checks presence. */
  public RestoreInput {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(trigger, "trigger");
    Objects.requireNonNull(attempt, "attempt");
  }
}
