package dev.sluice.activities.temporal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits in tests, with a bound that only a broken test reaches. */
final class Uninterruptibly {

  private static final long BOUND_SECONDS = 60;

  private Uninterruptibly() {}

  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(BOUND_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the awaited step was never reached");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
