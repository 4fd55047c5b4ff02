package dev.sluice.activities.jobs;

import java.util.Locale;

/** What an event tells. */
public enum EventKind {
  /** An attempt was opened. */
  RUNNING,
  /** An attempt ended with a publication. */
  COMPLETED,
  /** An attempt ended with an error. */
  FAILED,
  /** An attempt ended without work. */
  SKIPPED,
  /** An attempt ended because a newer generation is there. */
  STALE,
  /** An attempt's run had ended without closing it; the reaper did. */
  REAPED,
  /** A trigger that no run held was handed to one. */
  RESTARTED,
  /** Nothing was begun: the gate was closed. */
  GATE_CLOSED,
  /** A trigger lost the pending slot to a newer one. */
  SUPERSEDED,
  /** A trigger asked for what runs, waits or is live already. */
  DUPLICATE,
  /** A trigger could not be taken: malformed, of nobody's source, or not to be put in order. */
  REFUSED,
  /** An attempt's outcome was corrected from the publication. */
  RECONCILED,
  /** Content that Sluice did not put into the target was replaced. */
  FOREIGN_CONTENT_REPLACED,
  /** A publication changed the table's columns. */
  SCHEMA_CHANGED,
  /** The source's table has another name from now on. */
  RENAMED,
  /** Objects of the prepared folder, or columns of the Delta table, were left out. */
  LEFT_OUT,
  /** Files of a Delta table were written anew instead of copied. */
  REWRITTEN,
  /** Objects of a landing that was never published were removed. */
  LANDING_CLEANED,
  /** A generation without rows was published. */
  EMPTY,
  /** The source is held. */
  PAUSED,
  /** The source is no longer held. */
  RESUMED;

  /** Returns the kind as it is stored, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static EventKind ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
