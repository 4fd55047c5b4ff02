package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.Preparation;
import io.temporal.workflow.TimerOptions;

/**
 * What the stages of a generation are called in the Temporal UI: each line names the generation or
 * the table, and how much there is to do, so that no payload has to be opened for it.
 *
 * @param trigger the generation
 * @param preparation where it goes to
 */
record StageTexts(RegisterTrigger trigger, Preparation preparation) {

  /** Looking for a generation at its source. */
  static String find(RegisterTrigger trigger) {
    return switch (trigger.path()) {
      case REGISTER -> "find the files of " + trigger.preparedFolder();
      case COPY, MODEL ->
          trigger.deltaVersion() == null
              ? "find the newest version of the Delta table of " + Texts.source(trigger)
              : "find version %d of the Delta table of %s"
                  .formatted(trigger.deltaVersion(), Texts.source(trigger));
    };
  }

  /** A wait, with the reason for it. */
  static TimerOptions wait(String reason) {
    return TimerOptions.newBuilder().setSummary(Texts.summary(reason)).build();
  }

  String land() {
    return "copy %s for %s, %s".formatted(generation(), Texts.target(preparation), size());
  }

  String inspect() {
    return "read the footers of %s for %s, %d files"
        .formatted(generation(), Texts.target(preparation), preparation.files());
  }

  String verify(long rows) {
    return "verify %s for %s against the source, %d rows"
        .formatted(generation(), Texts.target(preparation), rows);
  }

  String publish() {
    return "publish %s as %s, %s".formatted(generation(), Texts.target(preparation), size());
  }

  private String size() {
    return Texts.size(preparation.files(), preparation.bytes());
  }

  private String generation() {
    return "generation " + trigger.generation();
  }
}
