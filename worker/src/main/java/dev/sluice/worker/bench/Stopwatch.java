package dev.sluice.worker.bench;

/** Adds up the seconds of pieces of work. Not thread-safe. */
final class Stopwatch {

  private static final double NANOS = 1e9;

  private long nanos;

  /**
   * Work that is timed.
   *
   * @param <X> what it may throw
   */
  interface Work<X extends Exception> {
    void run() throws X;
  }

  <X extends Exception> void time(Work<X> work) throws X {
    long begin = System.nanoTime();
    work.run();
    nanos += System.nanoTime() - begin;
  }

  double seconds() {
    return nanos / NANOS;
  }
}
