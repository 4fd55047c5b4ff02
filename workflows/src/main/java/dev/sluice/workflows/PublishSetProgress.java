package dev.sluice.workflows;

import java.util.Objects;

/**
 * Answer of {@link PublishSetWorkflow#progress}.
 *
 * @param stage the stage that the set has reached
 * @param verified members that passed their checks, or are live already
 * @param members members of the set
 */
public record PublishSetProgress(RegisterStage stage, int verified, int members) {

  /** Checks presence. */
  public PublishSetProgress {
    Objects.requireNonNull(stage, "stage");
  }
}
