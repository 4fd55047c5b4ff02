package dev.sluice.workflows.upstream;

import dev.sluice.workflows.RegisterTrigger;

/** What all starts of the register workflow have in common. */
final class RegisterStarts {
  /** Starts tried before giving up; each needs a run to close between two of our steps. */
  static final int MAX_TRIES = 5;

  /** Temporal takes summaries of 200 bytes at most. */
  private static final int MAX_SUMMARY = 100;

  private RegisterStarts() {}

  static String summary(RegisterTrigger trigger) {
    String text =
        "register "
            + trigger.sourceType()
            + " "
            + trigger.table()
            + " of team "
            + trigger.team()
            + ", generation "
            + trigger.generation();
    return text.length() <= MAX_SUMMARY ? text : text.substring(0, MAX_SUMMARY);
  }
}
