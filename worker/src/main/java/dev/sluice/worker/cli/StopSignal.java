package dev.sluice.worker.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the end of the JVM, and keeps it from ending before everything is closed. Opened before
 * what it waits for, so that it is closed after it.
 */
final class StopSignal implements AutoCloseable {

  /** Longer than a worker's own grace; after that the JVM ends whatever still runs. */
  private static final long CLOSING_SECONDS = 50;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "stop");

  StopSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Returns when the JVM has been told to end; the caller then closes what it has opened. */
  void await() throws InterruptedException {
    stop.await();
  }

  private void stopAndWait() {
    stop.countDown();
    try {
      // Not for the main thread's end: that one waits in System.exit for the hooks to end.
      closed.await(CLOSING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the JVM end. */
  @Override
  public void close() {
    closed.countDown();
    if (stop.getCount() > 0) {
      // Nobody told the JVM to end, so no hook runs or waits.
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException endBegunMeanwhile) {
        stop.countDown();
      }
    }
  }
}
