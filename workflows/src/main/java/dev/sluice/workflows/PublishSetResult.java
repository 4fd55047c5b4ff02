package dev.sluice.workflows;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a set: all of it was published, or nothing.
 *
 * @param status completed, or why not: failed, stale or skipped
 * @param reason why, in a sentence; null when it was published
 * @param snapshotId the snapshot in which all members became visible; null unless that happened, or
 *     when every member was live before
 * @param members what became of each, in the order of the input
 */
public record PublishSetResult(
    RegisterStatus status,
    @Nullable String reason,
    @Nullable Long snapshotId,
    List<RegisterResult> members) {

  /** Copies the list. */
  public PublishSetResult {
    Objects.requireNonNull(status, "status");
    members = List.copyOf(members);
  }
}
