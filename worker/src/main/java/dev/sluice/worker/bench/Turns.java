package dev.sluice.worker.bench;

import java.util.List;

/**
 * Two sides that get the same parts of the work in turns, so that a disturbance from outside meets
 * both.
 */
final class Turns {

  private Turns() {}

  /**
   * One side's work on a part.
   *
   * @param <T> what the work is made of
   */
  interface Side<T> {
    void take(List<T> part) throws InterruptedException;
  }

  /** Gives both sides the whole in so many parts; who is first changes with each. */
  static <T> void take(int turns, List<T> whole, Side<T> one, Side<T> other)
      throws InterruptedException {
    int parts = Math.min(turns, whole.size());
    for (int turn = 0; turn < parts; turn++) {
      List<T> part = whole.subList(whole.size() * turn / parts, whole.size() * (turn + 1) / parts);
      Side<T> first = turn % 2 == 0 ? one : other;
      Side<T> second = turn % 2 == 0 ? other : one;
      first.take(part);
      second.take(part);
    }
  }
}
