package dev.sluice.activities.storage;

import java.util.Objects;

/**
 * A value that must not be printed: its text form is always {@code ***}. The value itself comes out
 * only through {@link #reveal()}, so that every place that uses it can be found by name. Immutable.
 */
public final class Secret {

  private static final String REDACTED = "***";

  private final String value;

  private Secret(String value) {
    this.value = Objects.requireNonNull(value, "value");
  }

  /** Wraps a value; an empty value is kept as it is. */
  public static Secret of(String value) {
    return new Secret(value);
  }

  /** The value in clear text, to be handed to a client library and to nothing else. */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return REDACTED;
  }
}
