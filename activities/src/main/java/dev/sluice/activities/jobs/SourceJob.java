package dev.sluice.activities.jobs;

import dev.sluice.workflows.naming.ProducerOrder;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt as it is stored.
 *
 * @param key names it
 * @param opening grows with every attempt opened in this home database
 * @param sourceJobId the upstream import job
 * @param generation the generation's token
 * @param order the producer's order of the generation
 * @param status where it stands
 * @param workflowId workflow that opened it; null outside a workflow
 * @param runId run that opened it; null outside a workflow
 * @param namespace Temporal namespace of that run; null outside a workflow
 * @param startedAt start of the run
 * @param finishedAt end; null while running
 * @param latestError why it failed, at most 2000 characters, no secret; null unless failed
 * @param reason why it was skipped or is stale, or a remark; null for none
 * @param lake the lake's configured name; null before prepare has resolved it
 * @param schema schema of the target; null before prepare has resolved it
 * @param table name of the target; null before prepare has resolved it
 * @param snapshotId snapshot of the publication; null unless completed
 * @param rows rows published; null unless completed
 * @param files files published; null unless completed
 * @param bytes size of the published files; null unless completed
 * @param leaseUntil until when somebody looks after it; null once it has ended
 * @param checkedAt when the reaper last asked Temporal about its run; null before the first time
 * @param checkNote what Temporal said then, in a sentence; null when there was nothing to say
 * @param reapedAt when the reaper closed it; null unless it did
 * @param unreconciled whether it was closed while its lake could not be asked what was published
 * @param createdAt when the row was made
 */
public record SourceJob(
    AttemptKey key,
    long opening,
    String sourceJobId,
    String generation,
    ProducerOrder order,
    JobStatus status,
    @Nullable String workflowId,
    @Nullable String runId,
    @Nullable String namespace,
    Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable String latestError,
    @Nullable String reason,
    @Nullable String lake,
    @Nullable String schema,
    @Nullable String table,
    @Nullable Long snapshotId,
    @Nullable Long rows,
    @Nullable Long files,
    @Nullable Long bytes,
    @Nullable Instant leaseUntil,
    @Nullable Instant checkedAt,
    @Nullable String checkNote,
    @Nullable Instant reapedAt,
    boolean unreconciled,
    Instant createdAt) {

  /** Checks presence. */
  public SourceJob {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(sourceJobId, "sourceJobId");
    Objects.requireNonNull(generation, "generation");
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(startedAt, "startedAt");
    Objects.requireNonNull(createdAt, "createdAt");
  }
}
