package dev.sluice.workflows.activity;

import dev.sluice.workflows.RegisterTrigger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a rollback would do.
 *
 * @param trigger stands for the generation in the stages: its source and order, under a job of the
 *     rollback's own
 * @param snapshot the publication that is brought back
 * @param live the publication that makes the rollback needless: the generation is live, or this
 *     request was carried out before; null when there is something to do
 */
public record RestorePlan(RegisterTrigger trigger, long snapshot, @Nullable LivePublication live) {

  /** Checks presence. */
  public RestorePlan {
    Objects.requireNonNull(trigger, "trigger");
  }
}
