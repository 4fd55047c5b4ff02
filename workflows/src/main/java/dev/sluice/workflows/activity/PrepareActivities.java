package dev.sluice.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Looks before the leap. Safe to repeat. */
@ActivityInterface
public interface PrepareActivities {

  /**
   * Validates the names, resolves lake and table, claims the table's name for the source, lists the
   * prepared folder into the ledger, and tells whether the generation has been superseded: a newer
   * one is published or waits.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidInput}, {@code BadSource}, {@code
   *     NameTaken}, {@code UnsupportedLake}, {@code Misconfigured}, or retryable
   */
  @ActivityMethod(name = "prepare")
  PrepareResult prepare(PrepareInput input);
}
