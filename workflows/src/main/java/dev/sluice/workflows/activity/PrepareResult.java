package dev.sluice.workflows.activity;

import org.jspecify.annotations.Nullable;

/**
 * Answer of prepare; exactly one component is present.
 *
 * @param staleReason why the generation is superseded; null when it is not
 * @param preparation what was resolved; null when the generation is superseded
 */
public record PrepareResult(@Nullable String staleReason, @Nullable Preparation preparation) {

  /** Checks that exactly one component is present. */
  public PrepareResult {
    if ((staleReason == null) == (preparation == null)) {
      throw new IllegalArgumentException(
          "prepare: exactly one of staleReason and preparation is required, got "
              + staleReason
              + " and "
              + preparation);
    }
  }

  /** Returns the answer that the generation is superseded. */
  public static PrepareResult stale(String reason) {
    return new PrepareResult(reason, null);
  }

  /** Returns the answer that the generation can be landed. */
  public static PrepareResult ready(Preparation preparation) {
    return new PrepareResult(null, preparation);
  }
}
