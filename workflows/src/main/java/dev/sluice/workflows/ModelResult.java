package dev.sluice.workflows;

import java.util.Objects;

/**
 * What became of one model of a run.
 *
 * @param savedQueryId the query that made it
 * @param label what it is called
 * @param result the outcome of its attempt
 */
public record ModelResult(String savedQueryId, String label, RegisterResult result) {

  /** Checks presence. */
  public ModelResult {
    Objects.requireNonNull(savedQueryId, "savedQueryId");
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(result, "result");
  }
}
