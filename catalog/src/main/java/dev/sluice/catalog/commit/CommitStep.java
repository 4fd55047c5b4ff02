package dev.sluice.catalog.commit;

/**
 * Caller's work inside the commit's transaction. Runs once per try; a try that loses its race is
 * rolled back and run again, so a step must have no effect outside the transaction. An exception
 * rolls back and reaches the caller untouched.
 */
@FunctionalInterface
public interface CommitStep {

  /** Does the work with the transaction's own connection. */
  void run(CommitContext context);
}
