package dev.sluice.workflows.activity;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answer of preparing a copy; exactly one of the first three components is present.
 *
 * @param staleReason why the generation is superseded; null when it is not
 * @param waitReason what has to be waited for; null when there is nothing
 * @param preparation what was resolved; null unless the version can be landed
 * @param version the version that was pinned; null without a preparation
 */
public record CopyPlan(
    @Nullable String staleReason,
    @Nullable String waitReason,
    @Nullable Preparation preparation,
    @Nullable Long version) {

  /** Checks that exactly one answer is given. */
  public CopyPlan {
    long answers = Stream.of(staleReason, waitReason, preparation).filter(Objects::nonNull).count();
    if (answers != 1 || (preparation == null) != (version == null)) {
      throw new IllegalArgumentException(
          "copy plan: exactly one of staleReason, waitReason and preparation with its version is"
              + " required, got "
              + staleReason
              + ", "
              + waitReason
              + ", "
              + preparation
              + " and "
              + version);
    }
  }

  /** Returns the answer that the generation is superseded. */
  public static CopyPlan stale(String reason) {
    return new CopyPlan(reason, null, null, null);
  }

  /** Returns the answer that the version is not there yet. */
  public static CopyPlan waiting(String reason) {
    return new CopyPlan(null, reason, null, null);
  }

  /** Returns the answer that the version can be landed. */
  public static CopyPlan ready(Preparation preparation, long version) {
    return new CopyPlan(null, null, preparation, version);
  }
}
