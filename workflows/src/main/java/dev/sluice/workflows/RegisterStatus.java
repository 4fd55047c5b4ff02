package dev.sluice.workflows;

import java.util.Locale;

/** How a trigger ended, in the words of the job table. */
public enum RegisterStatus {
  /** Verified and published; the generation is, or was, the live content of the table. */
  COMPLETED,
  /** Nothing was begun: the gate was closed. */
  SKIPPED,
  /** A newer generation had been published, or had been asked for, before this one was. */
  STALE,
  /** An error or a cancellation; the earlier generation stays live. */
  FAILED;

  /** Returns the status as it is stored and printed, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
