package dev.sluice.catalog.commit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one commit shall do.
 *
 * @param description for logs and errors, e.g. {@code publish insights.flights}
 * @param idempotencyKey stored with the commit; a second request with the key answers with the
 *     first one's snapshot and does nothing. Never contains a run id. Null only for commits that a
 *     person makes once (command line)
 * @param base what the changes were planned on
 * @param attachments rows of the caller's that are read before anything is decided, and written
 *     with the commit
 * @param changes applied in order
 * @param after steps run after all rows are written and counted, just before COMMIT
 * @param author stored in the change log; null for none
 * @param message stored in the change log; null for none
 */
public record CommitRequest(
    String description,
    @Nullable String idempotencyKey,
    Base base,
    List<Attachment> attachments,
    List<Change> changes,
    List<CommitStep> after,
    @Nullable String author,
    @Nullable String message) {

  /** Copies the lists. */
  public CommitRequest {
    attachments = List.copyOf(attachments);
    changes = List.copyOf(changes);
    after = List.copyOf(after);
  }

  /** A request of plain changes without key and steps. */
  public static CommitRequest of(String description, Base base, List<Change> changes) {
    return new CommitRequest(description, null, base, List.of(), changes, List.of(), null, null);
  }

  /** The same request under an idempotency key. */
  public CommitRequest withKey(String key) {
    return new CommitRequest(description, key, base, attachments, changes, after, author, message);
  }

  /** The same request with attachments. */
  public CommitRequest withAttachments(Attachment... attached) {
    return new CommitRequest(
        description, idempotencyKey, base, List.of(attached), changes, after, author, message);
  }

  /** The same request with steps after its changes. */
  public CommitRequest withSteps(CommitStep... steps) {
    return new CommitRequest(
        description, idempotencyKey, base, attachments, changes, List.of(steps), author, message);
  }

  /** The state that a request's changes were planned on. */
  public sealed interface Base {

    /** Planned on a snapshot: the conflict matrix runs against everything committed since. */
    record PlannedOn(long snapshotId) implements Base {}

    /** Planned on nothing: decided on the newest snapshot under the lock. */
    record Newest() implements Base {}
  }
}
