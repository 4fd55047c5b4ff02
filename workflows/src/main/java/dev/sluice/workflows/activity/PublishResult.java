package dev.sluice.workflows.activity;

import org.jspecify.annotations.Nullable;

/**
 * Answer of publishing; exactly one component is present.
 *
 * @param staleReason why the generation was not published; null when it was
 * @param publication the publication, made now or by an earlier try; null when stale
 */
public record PublishResult(@Nullable String staleReason, @Nullable LivePublication publication) {

  /** Checks that exactly one component is present. */
  public PublishResult {
    if ((staleReason == null) == (publication == null)) {
      throw new IllegalArgumentException(
          "publish: exactly one of staleReason and publication is required, got "
              + staleReason
              + " and "
              + publication);
    }
  }

  /** Returns the answer that a newer generation is published already. */
  public static PublishResult stale(String reason) {
    return new PublishResult(reason, null);
  }

  /** Returns the answer that the generation is published. */
  public static PublishResult published(LivePublication publication) {
    return new PublishResult(null, publication);
  }
}
