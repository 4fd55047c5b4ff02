package dev.sluice.workflows.activity;

import java.util.Locale;

/** What a run does with a trigger. */
public enum TriggerDisposition {
  /** The run has taken it up. */
  RUNNING,
  /** It waits in the slot and runs next. */
  PENDING,
  /** A newer trigger took its place in the slot. */
  SUPERSEDED,
  /** Its generation runs, waits, or has just been published. */
  DUPLICATE,
  /** The gate was closed. */
  SKIPPED,
  /** It cannot be put in order with what the source has sent before. */
  REFUSED;

  /** Returns the disposition as it is stored, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
