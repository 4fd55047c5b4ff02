package dev.sluice.workflows.naming;

import dev.sluice.workflows.RegisterTrigger;
import dev.sluice.workflows.activity.WorkflowPath;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a trigger must be before anything is begun with it: texts of sane length without control
 * characters, a folder's bare name, an order that leaves room for newer ones. Holds no state and
 * looks at nothing but the trigger, so workflow code may use it.
 */
public final class TriggerRules {
  /** Longest id of an import job, in UTF-16 units. */
  public static final int MAX_JOB_ID = 400;

  /** Longest id of an attempt, {@code <job id>:<generation token>}. */
  public static final int MAX_ATTEMPT_ID = 500;

  /** Longest id of a source table. */
  public static final int MAX_SOURCE_ID = 100;

  private static final int MAX_NAME = 400;
  private static final int MAX_LAKE = 63;

  /** Object keys have 1,024 bytes at most, and a bucket stands in front. */
  private static final int MAX_LOCATION = 1200;

  /** A table that commits a thousand times a second for thirty years stays below it. */
  static final long MAX_DELTA_VERSION = 1_000_000_000_000L;

  /** The end of the year 9999. */
  static final long MAX_EPOCH_SECONDS = 253_402_300_799L;

  private static final long MICROS_PER_SECOND = 1_000_000L;

  private TriggerRules() {}

  /** Says why a trigger cannot be taken, with reason and remedy; empty when it can. */
  public static Optional<String> problem(RegisterTrigger trigger) {
    String wrong = firstProblem(trigger);
    return wrong == null
        ? Optional.empty()
        : Optional.of(String.valueOf(NamingErrors.badTrigger(trigger, wrong).getMessage()));
  }

  /**
   * Refuses a trigger that cannot be taken.
   *
   * @throws InvalidNameException with the reason and the remedy
   */
  public static void require(RegisterTrigger trigger) {
    String wrong = firstProblem(trigger);
    if (wrong != null) {
      throw NamingErrors.badTrigger(trigger, wrong);
    }
  }

  private static @Nullable String firstProblem(RegisterTrigger trigger) {
    String[] found = {
      required("job id", trigger.jobId(), MAX_JOB_ID),
      required("source schema id", trigger.sourceSchemaId(), MAX_SOURCE_ID),
      required("source type", trigger.sourceType(), MAX_NAME),
      trigger.path() == WorkflowPath.MODEL
          ? optional("label", trigger.table(), MAX_NAME)
          : required("table name", trigger.table(), MAX_NAME),
      optional("prefix", trigger.prefix(), MAX_NAME),
      optional("lake", trigger.lake(), MAX_LAKE),
      optional("options", trigger.options(), MAX_NAME),
      refusalOf(() -> LandingPrefix.requireSourceSchemaId(trigger.sourceSchemaId())),
      trigger.path() != WorkflowPath.REGISTER
              && trigger.order().equals(ProducerOrder.NEWEST_DELTA_VERSION)
          ? null
          : order(trigger.order()),
      switch (trigger.path()) {
        case REGISTER -> registration(trigger);
        case COPY -> copy(trigger);
        case MODEL -> model(trigger);
      }
    };
    for (String each : found) {
      if (each != null) {
        return each;
      }
    }
    return attemptId(trigger);
  }

  private static @Nullable String required(String what, String value, int longest) {
    return value.isBlank() ? "the " + what + " is empty; pass it" : optional(what, value, longest);
  }

  private static @Nullable String optional(String what, @Nullable String value, int longest) {
    if (value == null) {
      return null;
    }
    if (value.length() > longest) {
      return "the "
          + what
          + " has "
          + value.length()
          + " characters; at most "
          + longest
          + " are allowed; pass a shorter one";
    }
    return value.codePoints().anyMatch(TriggerRules::isUnfit)
        ? "the " + what + " contains a control character or half of a character; pass plain text"
        : null;
  }

  /** Neither PostgreSQL nor an object store takes these; they also forge lines of a log. */
  private static boolean isUnfit(int codePoint) {
    return Character.isISOControl(codePoint)
        || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
  }

  private static @Nullable String refusalOf(Runnable check) {
    try {
      check.run();
      return null;
    } catch (InvalidNameException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static @Nullable String registration(RegisterTrigger trigger) {
    String unfit = required("prepared folder", trigger.preparedFolder(), MAX_NAME);
    return unfit == null ? refusalOf(() -> new PreparedFolder(trigger.preparedFolder())) : unfit;
  }

  private static @Nullable String copy(RegisterTrigger trigger) {
    if (!trigger.preparedFolder().isEmpty()) {
      return "a copy has no prepared folder; register the folder, or leave it out";
    }
    String order = deltaOrder(trigger);
    return order == null ? refusalOf(() -> new PreparedFolder(trigger.table())) : order;
  }

  private static @Nullable String model(RegisterTrigger trigger) {
    String location = required("Delta table's location", trigger.preparedFolder(), MAX_LOCATION);
    return location == null ? deltaOrder(trigger) : location;
  }

  private static @Nullable String deltaOrder(RegisterTrigger trigger) {
    return trigger.order().kind() == ProducerOrder.Kind.FOLDER_EPOCH
        ? "the producer order "
            + trigger.order()
            + " is that of a prepared folder; pass a Delta version, or the time the import finished"
        : null;
  }

  private static @Nullable String order(ProducerOrder order) {
    long most =
        switch (order.kind()) {
          case DELTA_VERSION -> MAX_DELTA_VERSION;
          case FOLDER_EPOCH -> MAX_EPOCH_SECONDS;
          case IMPORT_FINISHED -> MAX_EPOCH_SECONDS * MICROS_PER_SECOND;
        };
    if (order.value() < 0) {
      return "the producer order "
          + order
          + " is negative or missing; pass the order that the import had";
    }
    return order.value() <= most
        ? null
        : "the producer order "
            + order
            + " is absurd; once published, nothing newer could follow; at most "
            + most
            + " is allowed; pass the order that the import had";
  }

  private static @Nullable String attemptId(RegisterTrigger trigger) {
    int length = trigger.attemptId().length();
    return length <= MAX_ATTEMPT_ID
        ? null
        : "job id and generation together have "
            + length
            + " characters; at most "
            + MAX_ATTEMPT_ID
            + " are allowed; pass a shorter job id or folder name";
  }
}
