package dev.sluice.workflows.upstream;

import java.util.Objects;

/**
 * Input of materializing one query.
 *
 * @param team the team that owns it
 * @param jobId id of the run
 * @param model the query
 */
public record MaterializeModelInput(long team, String jobId, UpstreamModel model) {

  /** Checks presence. */
  public MaterializeModelInput {
    Objects.requireNonNull(jobId, "jobId");
    Objects.requireNonNull(model, "model");
  }
}
