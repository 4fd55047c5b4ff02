package dev.sluice.worker.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for the end of the JVM, and keeps it from ending before everything is closed. */
final class StopSignal {

  /** Longer than a worker's own grace; after that the JVM ends whatever still runs. */
  private static final long CLOSING_SECONDS = 50;

  private StopSignal() {}

  /** Returns when the JVM has been told to end; the caller then closes what it has opened. */
  static void await() throws InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    Thread waiting = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  stop.countDown();
                  try {
                    waiting.join(TimeUnit.SECONDS.toMillis(CLOSING_SECONDS));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                },
                "stop"));
    stop.await();
  }
}
