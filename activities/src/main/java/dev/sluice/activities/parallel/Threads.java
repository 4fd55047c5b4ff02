package dev.sluice.activities.parallel;

/** Waiting for threads. */
public final class Threads {

  private Threads() {}

  /** Waits until the thread has ended, whatever comes; an interrupt meanwhile is kept. */
  public static void awaitEnd(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
