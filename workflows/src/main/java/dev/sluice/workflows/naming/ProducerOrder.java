package dev.sluice.workflows.naming;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the producer puts a generation among the others of its source. A source keeps to one kind;
 * orders of different kinds cannot be compared.
 *
 * @param kind what the value counts
 * @param value the value, in the kind's unit; greater is newer
 */
public record ProducerOrder(Kind kind, long value) {
  private static final Pattern EPOCH = Pattern.compile("__query_([0-9]+)(?:_[0-9a-fA-F]{8})?\\z");

  /** What stands for an order that a payload leaves out; never accepted. */
  public static final ProducerOrder MISSING = new ProducerOrder(Kind.FOLDER_EPOCH, -1);

  /**
   * The order of a copy that takes the newest version there is when it begins: newer than any that
   * is known before.
   */
  public static final ProducerOrder NEWEST_DELTA_VERSION =
      new ProducerOrder(Kind.DELTA_VERSION, Long.MAX_VALUE);

  private static final String NEWEST = "newest";

  /** What the value of an order counts. */
  public enum Kind {
    /** Microseconds since 1970-01-01 UTC at which the import finished. */
    IMPORT_FINISHED,
    /** The version of the Delta table. */
    DELTA_VERSION,
    /** Seconds since 1970-01-01 UTC in the prepared folder's token. */
    FOLDER_EPOCH;

    /** Returns the kind as it is stored, in lower case. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Checks presence only: whatever a payload holds can be read, so that {@link TriggerRules} refuse
   * it by name instead of a workflow being blocked by it.
   */
  public ProducerOrder {
    Objects.requireNonNull(kind, "kind");
  }

  /** Returns the order of a generation whose import finished at the given time. */
  public static ProducerOrder importFinished(Instant at) {
    return notNegative(Kind.IMPORT_FINISHED, ChronoUnit.MICROS.between(Instant.EPOCH, at));
  }

  private static ProducerOrder notNegative(Kind kind, long value) {
    if (value < 0) {
      throw NamingErrors.negativeOrder(kind, value);
    }
    return new ProducerOrder(kind, value);
  }

  /** Returns the order of a generation made from a version of a Delta table. */
  public static ProducerOrder deltaVersion(long version) {
    return notNegative(Kind.DELTA_VERSION, version);
  }

  /** Finds the version of a Delta table in it; empty when it counts something else, or any. */
  public Optional<Long> findDeltaVersion() {
    return kind == Kind.DELTA_VERSION && !equals(NEWEST_DELTA_VERSION)
        ? Optional.of(value)
        : Optional.empty();
  }

  /** Finds the epoch in a prepared folder's name; empty when the name has none. */
  public static Optional<ProducerOrder> findInFolder(String folderName) {
    Matcher epoch = EPOCH.matcher(folderName);
    if (!epoch.find()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new ProducerOrder(Kind.FOLDER_EPOCH, Long.parseLong(epoch.group(1))));
    } catch (NumberFormatException tooLong) {
      return Optional.empty();
    }
  }

  /** Returns the epoch in a prepared folder's name, or refuses the name. */
  public static ProducerOrder ofFolder(String folderName) {
    return findInFolder(folderName).orElseThrow(() -> NamingErrors.noOrderInFolder(folderName));
  }

  /** Parses {@code <kind>:<value>}, as {@link #toString} writes it. */
  public static ProducerOrder parse(String text) {
    if (text.equals(NEWEST_DELTA_VERSION.toString())) {
      return NEWEST_DELTA_VERSION;
    }
    int colon = text.indexOf(':');
    for (Kind kind : Kind.values()) {
      if (colon > 0 && kind.word().equals(text.substring(0, colon))) {
        try {
          return notNegative(kind, Long.parseLong(text.substring(colon + 1)));
        } catch (NumberFormatException notANumber) {
          throw NamingErrors.badOrder(text);
        }
      }
    }
    throw NamingErrors.badOrder(text);
  }

  /** Tells whether both orders count the same and can be compared. */
  public boolean comparableWith(ProducerOrder other) {
    return kind == other.kind;
  }

  /**
   * Tells whether this generation is newer than the other.
   *
   * @throws InvalidNameException when the orders are of different kinds
   */
  public boolean isNewerThan(ProducerOrder other) {
    if (!comparableWith(other)) {
      throw NamingErrors.ordersOfDifferentKinds(this, other);
    }
    return value > other.value;
  }

  /** Returns {@code <kind>:<value>}. */
  @Override
  public String toString() {
    return kind.word() + ":" + (equals(NEWEST_DELTA_VERSION) ? NEWEST : value);
  }
}
