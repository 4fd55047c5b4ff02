package dev.sluice.activities.jobs;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Result of one check of one attempt.
 *
 * @param name the check's name, unique within the attempt
 * @param passed whether the attempt may go on
 * @param observed what the target shows; null when it could not be measured
 * @param expected what the source shows; null when it could not be measured
 * @param tolerance greatest difference that passes
 * @param description what the check compares
 * @param statement the statement that was run; null when none was
 * @param error why it could not be measured; null when it could
 */
public record CheckResult(
    String name,
    boolean passed,
    @Nullable String observed,
    @Nullable String expected,
    double tolerance,
    String description,
    @Nullable String statement,
    @Nullable String error) {

  /** Checks presence. */
  public CheckResult {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
  }
}
