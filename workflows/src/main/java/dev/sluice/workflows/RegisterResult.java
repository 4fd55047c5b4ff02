package dev.sluice.workflows;

import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of a trigger. A run that fails carries it in its failure's details, where {@link
 * #ofFailure} finds it.
 *
 * @param status the outcome
 * @param reason why, in a sentence; null when the generation was simply published
 * @param failureType one of {@link FailureTypes}; null unless an error or a refusal ended it
 * @param attemptId {@code <job id>:<generation token>}
 * @param generation the generation token
 * @param schema schema of the target; null when the run ended before it was resolved
 * @param table name of the target; null when the run ended before it was resolved
 * @param rows rows of the published generation; null unless completed
 * @param files data files of the published generation; null unless completed
 * @param bytes size of those files; null unless completed
 * @param snapshotId the lake snapshot of the publication; null unless completed
 */
public record RegisterResult(
    RegisterStatus status,
    @Nullable String reason,
    @Nullable String failureType,
    String attemptId,
    String generation,
    @Nullable String schema,
    @Nullable String table,
    @Nullable Long rows,
    @Nullable Long files,
    @Nullable Long bytes,
    @Nullable Long snapshotId) {

  /** Checks presence. */
  public RegisterResult {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(attemptId, "attemptId");
    Objects.requireNonNull(generation, "generation");
  }

  /** Returns the same outcome with the type of what ended it. */
  public RegisterResult withFailureType(@Nullable String type) {
    return new RegisterResult(
        status, reason, type, attemptId, generation, schema, table, rows, files, bytes, snapshotId);
  }

  /** Finds the result inside what a failed run threw; empty when the run gave none. */
  public static Optional<RegisterResult> ofFailure(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      // Only the outermost: those below are the activities' own, with details of other types.
      if (at instanceof ApplicationFailure application) {
        return application.getDetails().getSize() == 0
            ? Optional.empty()
            : Optional.ofNullable(application.getDetails().get(0, RegisterResult.class));
      }
    }
    return Optional.empty();
  }
}
