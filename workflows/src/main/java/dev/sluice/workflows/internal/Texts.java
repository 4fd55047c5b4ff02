package dev.sluice.workflows.internal;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.WorkflowPath;
import dev.sluice.workflows.naming.ByteText;
import dev.sluice.workflows.naming.SummaryText;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TimeoutFailure;
import org.jspecify.annotations.Nullable;

/** Texts for people out of failures. */
final class Texts {
  /** The job table's limit for error texts, in UTF-16 units. */
  static final int MAX_REASON = 2000;

  private Texts() {}

  /** Cuts at the limit, without leaving half of a surrogate pair. */
  static String cut(String text) {
    if (text.length() <= MAX_REASON) {
      return text;
    }
    boolean splitsPair =
        Character.isHighSurrogate(text.charAt(MAX_REASON - 1))
            && Character.isLowSurrogate(text.charAt(MAX_REASON));
    return text.substring(0, splitsPair ? MAX_REASON - 1 : MAX_REASON);
  }

  /** A summary for the Temporal UI; names of people's making may make it too long. */
  static String summary(String text) {
    return SummaryText.line(oneLine(text));
  }

  /** What a trigger is about: the source's kind and table, or the model's label. */
  static String source(RegisterTrigger trigger) {
    return trigger.path() == WorkflowPath.MODEL
        ? "model " + trigger.table()
        : trigger.sourceType() + " " + trigger.table();
  }

  /** Where a generation goes to. */
  static String target(Preparation preparation) {
    return preparation.schema() + "." + preparation.table();
  }

  /** How much a generation is: {@code 24 files, 1.5 GB}. */
  static String size(long files, long bytes) {
    return files + (files == 1 ? " file, " : " files, ") + ByteText.of(bytes);
  }

  /** Keeps Markdown of the Temporal UI in one line and inside its quotes. */
  static String oneLine(String text) {
    return cut(text.replaceAll("[\\r\\n]+", " ").replace('`', '\''));
  }

  /** Returns the message of the application's failure below an activity failure. */
  static String reason(ActivityFailure failure) {
    ApplicationFailure application = application(failure);
    if (application != null) {
      String message = application.getOriginalMessage();
      return cut(message == null ? application.getType() : message);
    }
    if (failure.getCause() instanceof TimeoutFailure timeout) {
      return cut(
          failure.getActivityType()
              + ": no outcome; the activity ran into its "
              + timeout.getTimeoutType().name().replace("TIMEOUT_TYPE_", "")
              + " time-out; look into the worker's log and send the trigger again");
    }
    Throwable cause = failure.getCause();
    return cut(String.valueOf(cause == null ? failure.getMessage() : cause.getMessage()));
  }

  /** Why a gate is closed that did not answer. */
  static String gateNotAsked(ActivityFailure failure, int tries) {
    return "gate: closed because it could not be asked"
        + (tries == 1 ? "" : " in " + tries + " tries")
        + "; "
        + reason(failure);
  }

  /** Returns the application's failure below an activity failure; null when there is none. */
  static @Nullable ApplicationFailure application(ActivityFailure failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof ApplicationFailure application) {
        return application;
      }
    }
    return null;
  }
}
