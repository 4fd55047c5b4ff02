package dev.sluice.activities.jobs;

import dev.sluice.workflows.RegisterStatus;
import dev.sluice.workflows.activity.TriggerDisposition;
import java.util.Locale;

/** Where a stored trigger stands. */
public enum TriggerState {
  /** A run has taken it up. */
  RUNNING,
  /** It waits in the slot. */
  PENDING,
  /** A newer one took its place in the slot. */
  SUPERSEDED,
  /** It asked for what was live already. */
  DUPLICATE,
  /** The gate was closed. */
  SKIPPED,
  /** It could not be put in order. */
  REFUSED,
  /** Its generation was published. */
  COMPLETED,
  /** Its attempt failed. */
  FAILED,
  /** A newer generation was there before. */
  STALE;

  /** Returns the state as it is stored, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static TriggerState ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  static TriggerState of(TriggerDisposition disposition) {
    return switch (disposition) {
      case RUNNING -> RUNNING;
      case PENDING -> PENDING;
      case SUPERSEDED -> SUPERSEDED;
      case DUPLICATE -> DUPLICATE;
      case SKIPPED -> SKIPPED;
      case REFUSED -> REFUSED;
    };
  }

  static TriggerState of(RegisterStatus status) {
    return switch (status) {
      case COMPLETED -> COMPLETED;
      case SKIPPED -> SKIPPED;
      case STALE -> STALE;
      case FAILED -> FAILED;
    };
  }
}
