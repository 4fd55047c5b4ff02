package dev.sluice.activities.jobs;

import dev.sluice.workflows.naming.ProducerOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One generation that became the content of a table; of a target's publications the one with the
 * highest snapshot is live.
 *
 * @param target the table; its lake is the lake's key
 * @param snapshotId the snapshot that made it
 * @param tableId the table's id in the lake
 * @param attempt the attempt that published it
 * @param sourceJobId the upstream import job
 * @param generation the generation's token
 * @param order the producer's order
 * @param rows rows of the generation
 * @param files data files of the generation
 * @param bytes size of those files
 * @param restores snapshot of the earlier publication whose content a rollback brought back; null
 *     for a generation that was brought in
 * @param replaced what others had done to the table and this publication dropped by policy; null
 *     when there was nothing
 */
public record Publication(
    Target target,
    long snapshotId,
    long tableId,
    AttemptKey attempt,
    String sourceJobId,
    String generation,
    ProducerOrder order,
    long rows,
    long files,
    long bytes,
    @Nullable Long restores,
    @Nullable String replaced) {

  /** Checks presence. */
  public Publication {
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(sourceJobId, "sourceJobId");
    Objects.requireNonNull(generation, "generation");
    Objects.requireNonNull(order, "order");
  }
}
