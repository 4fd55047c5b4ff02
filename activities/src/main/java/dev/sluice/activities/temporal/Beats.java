package dev.sluice.activities.temporal;

import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.StageProgress;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;

/**
 * Heartbeats of one activity, sent from its own thread: the exception by which a cancellation
 * arrives then stops the work itself. The SDK throttles what is sent. Not thread-safe.
 */
final class Beats {

  private final ActivityExecutionContext context = Activity.getExecutionContext();
  private final long filesTotal;
  private final long bytesTotal;
  private long filesDone;
  private long bytesDone;

  Beats(Preparation preparation) {
    this.filesTotal = preparation.files();
    this.bytesTotal = preparation.bytes();
  }

  /** One more file is done. */
  void done(long bytes) {
    filesDone++;
    bytesDone += bytes;
    beat();
  }

  /** So many files are done. */
  void at(long files) {
    filesDone = files;
    beat();
  }

  /** Still at work. */
  void beat() {
    context.heartbeat(new StageProgress(filesDone, filesTotal, bytesDone, bytesTotal));
  }
}
