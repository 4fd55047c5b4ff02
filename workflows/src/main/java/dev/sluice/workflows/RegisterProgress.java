package dev.sluice.workflows;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Answer of {@link RegisterWorkflow#progress}: how far a run is. Counts inside a running stage come
 * with that activity's heartbeats ({@link dev.sluice.workflows.activity.StageProgress}).
 *
 * @param stage the current stage
 * @param attemptId {@code <job id>:<generation token>}
 * @param attempt number of the attempt; null before it was opened
 * @param schema schema of the target; null before prepare has ended
 * @param table name of the target; null before prepare has ended
 * @param filesDone files that have passed the landing stage
 * @param filesTotal files of the generation; null before prepare has ended
 * @param bytesDone bytes that have passed the landing stage
 * @param bytesTotal bytes of the generation; null before prepare has ended
 * @param rows rows by the landed footers; null before inspect has ended
 * @param pendingGeneration generation that runs next; null when the slot is empty
 * @param result the outcome; null before the stage {@link RegisterStage#DONE}
 */
public record RegisterProgress(
    RegisterStage stage,
    String attemptId,
    @Nullable Integer attempt,
    @Nullable String schema,
    @Nullable String table,
    long filesDone,
    @Nullable Long filesTotal,
    long bytesDone,
    @Nullable Long bytesTotal,
    @Nullable Long rows,
    @Nullable String pendingGeneration,
    @Nullable RegisterResult result) {

  /** Checks presence. */
  public RegisterProgress {
    Objects.requireNonNull(stage, "stage");
    Objects.requireNonNull(attemptId, "attemptId");
  }
}
