package dev.sluice.activities.jobs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the state stores refuse or cannot do. Every failure answers three questions by its {@link
 * Kind}:
 *
 * <table>
 * <caption>Answers by kind</caption>
 * <tr><th>kind</th><th>retryable</th><th>conflict</th><th>outcome known</th></tr>
 * <tr><td>NAME_TAKEN</td><td>no</td><td>yes</td><td>yes</td></tr>
 * <tr><td>NOT_PROVISIONED</td><td>no</td><td>no</td><td>yes</td></tr>
 * <tr><td>ATTEMPT_FENCED</td><td>no</td><td>yes</td><td>yes</td></tr>
 * <tr><td>STALE_GENERATION</td><td>no</td><td>yes</td><td>yes</td></tr>
 * <tr><td>ORDER_KIND</td><td>no</td><td>yes</td><td>yes</td></tr>
 * <tr><td>FIXED_SETTING</td><td>no</td><td>no</td><td>yes</td></tr>
 * <tr><td>IN_USE</td><td>no</td><td>yes</td><td>yes</td></tr>
 * <tr><td>UNKNOWN_ATTEMPT</td><td>no</td><td>no</td><td>yes</td></tr>
 * <tr><td>NOT_MIGRATED</td><td>no</td><td>no</td><td>yes</td></tr>
 * <tr><td>UNAVAILABLE</td><td>yes</td><td>no</td><td>no</td></tr>
 * </table>
 *
 * <p>An outcome that is not known does no harm here: every write of these stores is an upsert by
 * its key, so the retry finds what the lost call left.
 */
public final class StateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Kind {
    /** Another source owns the table's name. */
    NAME_TAKEN,
    /** The team, its lake or the source is not configured. */
    NOT_PROVISIONED,
    /** The attempt was reaped or overtaken and may do nothing more. */
    ATTEMPT_FENCED,
    /** A newer generation has been published. */
    STALE_GENERATION,
    /** The generation's order counts something else than the source's earlier ones. */
    ORDER_KIND,
    /** A setting differs from the one that data was written under. */
    FIXED_SETTING,
    /** Somebody is at work on what was to be changed. */
    IN_USE,
    /** No such attempt was opened. */
    UNKNOWN_ATTEMPT,
    /** The database lacks Sluice's tables, or has those of another version. */
    NOT_MIGRATED,
    /** The database could not be reached, or gave up for a passing reason. */
    UNAVAILABLE
  }

  private final Kind kind;

  StateException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }

  /** Whether the same call may succeed later. */
  public boolean retryable() {
    return switch (kind) {
      case UNAVAILABLE -> true;
      case NAME_TAKEN,
          NOT_PROVISIONED,
          ATTEMPT_FENCED,
          STALE_GENERATION,
          ORDER_KIND,
          FIXED_SETTING,
          IN_USE,
          UNKNOWN_ATTEMPT,
          NOT_MIGRATED ->
          false;
    };
  }

  /** Whether somebody else's doing is the reason. */
  public boolean conflict() {
    return switch (kind) {
      case NAME_TAKEN, ATTEMPT_FENCED, STALE_GENERATION, ORDER_KIND, IN_USE -> true;
      case NOT_PROVISIONED, FIXED_SETTING, UNKNOWN_ATTEMPT, NOT_MIGRATED, UNAVAILABLE -> false;
    };
  }

  /** Whether it is certain that nothing was written. */
  public boolean outcomeKnown() {
    return kind != Kind.UNAVAILABLE;
  }
}
