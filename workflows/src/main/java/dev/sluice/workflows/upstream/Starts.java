package dev.sluice.workflows.upstream;

import dev.sluice.workflows.CopyInput;
import dev.sluice.workflows.ModelCopyInput;
import dev.sluice.workflows.RegisterInput;
import dev.sluice.workflows.RegisterTrigger;
import java.util.List;

/** What all starts of the workflow of a source have in common. */
final class Starts {
  /** Starts tried before giving up; each needs a run to close between two of our steps. */
  static final int MAX_TRIES = 5;

  /** Temporal takes summaries of 200 bytes at most. */
  private static final int MAX_SUMMARY = 100;

  /** The signal by which every such workflow takes further triggers. */
  static final String SUBMIT = "submit";

  private Starts() {}

  /** The input of a run that begins with the trigger. */
  static Object input(RegisterTrigger trigger) {
    return switch (trigger.path()) {
      case REGISTER -> RegisterInput.of(trigger);
      case COPY -> CopyInput.of(trigger);
      case MODEL -> ModelCopyInput.of(List.of(trigger));
    };
  }

  static String summary(RegisterTrigger trigger) {
    String text =
        trigger.path().word()
            + " "
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
