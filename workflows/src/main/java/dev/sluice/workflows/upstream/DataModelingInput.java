package dev.sluice.workflows.upstream;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Input of the sample upstream's materializations.
 *
 * @param team the team that owns the queries
 * @param jobId id of this run
 * @param models the queries to materialize, a thousand at most
 * @param lake the lake to publish into; null for the one the team is provisioned in
 * @param taskQueue queue of Sluice's workers; null for the usual one
 */
public record DataModelingInput(
    long team,
    String jobId,
    List<UpstreamModel> models,
    @Nullable String lake,
    @Nullable String taskQueue) {

  /** Checks presence and copies the list. */
  public DataModelingInput {
    Objects.requireNonNull(jobId, "jobId");
    models = List.copyOf(models);
  }
}
