package dev.sluice.activities.jobs;

import dev.sluice.workflows.RegisterStatus;
import java.util.Locale;

/** Where an attempt stands. */
public enum JobStatus {
  /** It is being worked on, or its worker was lost. */
  RUNNING,
  /** Verified and published. */
  COMPLETED,
  /** Ended with an error; the earlier generation stays live. */
  FAILED,
  /** Ended without work. */
  SKIPPED,
  /** Ended because a newer generation is there. */
  STALE;

  /** Returns the status as it is stored, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether an attempt with this status has ended. */
  public boolean terminal() {
    return this != RUNNING;
  }

  static JobStatus ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  static JobStatus of(RegisterStatus status) {
    return switch (status) {
      case COMPLETED -> COMPLETED;
      case FAILED -> FAILED;
      case SKIPPED -> SKIPPED;
      case STALE -> STALE;
    };
  }

  EventKind event() {
    return switch (this) {
      case RUNNING -> EventKind.RUNNING;
      case COMPLETED -> EventKind.COMPLETED;
      case FAILED -> EventKind.FAILED;
      case SKIPPED -> EventKind.SKIPPED;
      case STALE -> EventKind.STALE;
    };
  }
}
