package dev.sluice.activities.verify;

import dev.sluice.activities.jobs.CheckResult;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes results with the tolerances of a plan. */
final class CheckMaker {

  private final CheckPlan plan;

  CheckMaker(CheckPlan plan) {
    this.plan = plan;
  }

  /** Equal texts pass; different ones pass when both are numbers and near enough. */
  CheckResult compared(String name, String description, String expected, String observed) {
    double tolerance = plan.tolerance(name);
    return new CheckResult(
        name,
        expected.equals(observed) || (tolerance > 0 && near(expected, observed, tolerance)),
        observed,
        expected,
        tolerance,
        description,
        null,
        null);
  }

  CheckResult compared(String name, String description, long expected, long observed) {
    return compared(name, description, Long.toString(expected), Long.toString(observed));
  }

  /** A check that could not be made. */
  CheckResult failed(String name, String description, String error) {
    return new CheckResult(name, false, null, null, plan.tolerance(name), description, null, error);
  }

  private static boolean near(String expected, String observed, double tolerance) {
    Optional<BigDecimal> left = number(expected);
    Optional<BigDecimal> right = number(observed);
    return left.isPresent() && right.isPresent() && near(left.get(), right.get(), tolerance);
  }

  /** Whether the absolute difference is at most the tolerance. */
  static boolean near(BigDecimal expected, BigDecimal observed, double tolerance) {
    return observed.subtract(expected).abs().compareTo(BigDecimal.valueOf(tolerance)) <= 0;
  }

  private static Optional<BigDecimal> number(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(new BigDecimal(text));
    } catch (NumberFormatException noNumber) {
      return Optional.empty();
    }
  }
}
