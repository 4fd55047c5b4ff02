package dev.sluice.activities.jobs;

import java.util.Locale;

/** How a source looks to an operator. */
public enum Readiness {
  /** Nobody has configured it. */
  NOT_CONFIGURED,
  /** Nothing was brought in, or what was asked for was replaced by a newer import. */
  WAITING,
  /** A generation is being brought in. */
  BACKFILLING,
  /** Small changes are being applied. */
  CATCHING_UP,
  /** The latest attempt was published. */
  UP_TO_DATE,
  /** The latest attempt failed. */
  NEEDS_ATTENTION,
  /** The home database could not be read. */
  UNKNOWN;

  /** Returns the word as it is stored and shown, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Readiness ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
