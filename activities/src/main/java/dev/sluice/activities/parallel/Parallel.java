package dev.sluice.activities.parallel;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs one task per item on virtual threads, a bounded number at a time, and hands the results to
 * the calling thread.
 *
 * <p>The caller stays in charge: results, progress and heartbeats happen on its thread, so an
 * observer needs no locks, and an exception it throws (a cancelled activity's heartbeat) stops the
 * work. However a run ends, no task of it is still running afterwards.
 */
public final class Parallel {

  /** How long the caller waits for a result before it looks after the observer again. */
  private static final long OBSERVE_MILLIS = 1_000;

  private Parallel() {}

  /** Follows a run on the calling thread; whatever it throws stops the run. */
  public interface Observer<T, R> {

    /** One item is done. */
    void completed(T item, R result);

    /** Nothing was completed for a second. */
    default void waiting() {}
  }

  /**
   * Runs the task for every item.
   *
   * @param inFlight most tasks at a time, at least 1
   * @throws RuntimeException the first failure of a task or of the observer; no further item is
   *     begun, running tasks are interrupted and waited for, their failures are suppressed ones
   * @throws InterruptedException when the calling thread is interrupted; running tasks are
   *     interrupted and waited for
   */
  public static <T, R> void run(
      Iterable<T> items, int inFlight, Function<T, R> task, Observer<T, R> observer)
      throws InterruptedException {
    new Run<>(items.iterator(), inFlight, task, observer).go();
  }

  /**
   * Runs the tasks beside each other, to their ends.
   *
   * @throws RuntimeException the first failure; the others are interrupted and waited for
   * @throws InterruptedException when the calling thread is interrupted; so are the tasks, which
   *     are waited for
   */
  public static void together(List<Runnable> tasks) throws InterruptedException {
    run(
        tasks,
        Math.max(1, tasks.size()),
        task -> {
          task.run();
          return task;
        },
        (task, done) -> {});
  }

  private record Done<T, R>(
      Thread thread, T item, @Nullable R result, @Nullable Throwable failure) {}

  private static final class Run<T, R> {
    private final Iterator<T> items;
    private final int inFlight;
    private final Function<T, R> task;
    private final Observer<T, R> observer;
    private final BlockingQueue<Done<T, R>> finished = new LinkedBlockingQueue<>();
    private final Set<Thread> running = new HashSet<>();

    Run(Iterator<T> items, int inFlight, Function<T, R> task, Observer<T, R> observer) {
      if (inFlight < 1) {
        throw new IllegalArgumentException("at least 1 task in flight, got " + inFlight);
      }
      this.items = items;
      this.inFlight = inFlight;
      this.task = task;
      this.observer = observer;
    }

    void go() throws InterruptedException {
      try {
        fill();
        while (!running.isEmpty()) {
          Done<T, R> done = finished.poll(OBSERVE_MILLIS, TimeUnit.MILLISECONDS);
          if (done == null) {
            observer.waiting();
          } else {
            take(done);
            fill();
          }
        }
      } catch (InterruptedException | RuntimeException | Error e) {
        stop(e);
        throw e;
      }
    }

    private void fill() {
      while (running.size() < inFlight && items.hasNext()) {
        T item = items.next();
        Thread thread = Thread.ofVirtual().unstarted(() -> perform(item));
        running.add(thread);
        thread.start();
      }
    }

    /** Every thread leaves exactly one entry, so the caller knows when none is left. */
    @SuppressWarnings("CatchAndPrintStackTrace") // the failure travels to the calling thread
    private void perform(T item) {
      Thread self = Thread.currentThread();
      try {
        finished.add(new Done<>(self, item, task.apply(item), null));
      } catch (Throwable failure) {
        finished.add(new Done<>(self, item, null, failure));
      }
    }

    @SuppressWarnings("NullAway") // a task may return null where R allows it
    private void take(Done<T, R> done) {
      running.remove(done.thread());
      switch (done.failure()) {
        case null -> observer.completed(done.item(), done.result());
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case Throwable failure -> throw new IllegalStateException(failure);
      }
    }

    // By identity: an exception must not suppress itself.
    @SuppressWarnings("ReferenceEquality")
    private void stop(Throwable cause) {
      running.forEach(Thread::interrupt);
      boolean interrupted = false;
      while (!running.isEmpty()) {
        try {
          Done<T, R> done = finished.take();
          running.remove(done.thread());
          if (done.failure() != null && done.failure() != cause) {
            cause.addSuppressed(done.failure());
          }
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
