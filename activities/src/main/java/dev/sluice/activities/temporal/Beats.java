package dev.sluice.activities.temporal;

import dev.sluice.activities.parallel.Threads;
import dev.sluice.workflows.activity.Preparation;
import dev.sluice.workflows.activity.StageProgress;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Heartbeats of one activity, sent from its own thread: the exception by which a cancellation
 * arrives then stops the work itself. The SDK throttles what is sent. Not thread-safe.
 */
final class Beats {

  /** Well below the heartbeat time-outs, which are 30 s at least. */
  private static final long BACKGROUND_SECONDS = 5;

  private final ActivityExecutionContext context = Activity.getExecutionContext();
  private final long filesTotal;
  private final long bytesTotal;
  private long filesDone;
  private long bytesDone;

  Beats(Preparation preparation) {
    this.filesTotal = preparation.files();
    this.bytesTotal = preparation.bytes();
  }

  /** For work whose extent is not known yet. */
  Beats() {
    this.filesTotal = 0;
    this.bytesTotal = 0;
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

  /**
   * Beats in the background while the work runs. Only for work that must not be stopped half-way,
   * such as a commit: a cancellation that a beat brings is left for the workflow to notice.
   */
  <T> T during(Callable<T> work) throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Thread.ofVirtual().start(() -> beatUntil(done));
    try {
      return work.call();
    } finally {
      // told, not interrupted: a beat that is being sent may end in peace
      done.countDown();
    }
  }

  /**
   * Beats while the work runs in a thread of its own, as work must that waits in native code. A
   * cancellation that a beat brings, or an interrupt, ends the work first and is thrown then.
   *
   * @param cancel makes the work end soon, from this thread; it is interrupted besides
   */
  <T> T whileRunning(Callable<T> work, Runnable cancel) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = Thread.ofPlatform().name("sluice-work").daemon().start(task);
    try {
      beat();
      while (true) {
        try {
          return task.get(BACKGROUND_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException stillRunning) {
          beat();
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception failure) {
        throw failure;
      }
      throw e;
    } finally {
      if (thread.isAlive()) {
        cancel.run();
        thread.interrupt();
        Threads.awaitEnd(thread);
      }
    }
  }

  private void beatUntil(CountDownLatch done) {
    try {
      do {
        beat();
      } while (!done.await(BACKGROUND_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ActivityCompletionException nobodyWaits) {
      // the activity was cancelled or timed out; its work goes on to its end all the same
      return;
    }
  }
}
