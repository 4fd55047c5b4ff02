package dev.sluice.activities.lake.sequence;

import java.util.ArrayList;
import java.util.List;

/** Leaves out steps as long as what is left still fails. */
final class Shrinking {

  /** Each try is a whole sequence, about a second. */
  private static final int TRIES = 120;

  private final Runner runner;
  private int tries;

  Shrinking(Runner runner) {
    this.runner = runner;
  }

  /** Runs a sequence. */
  @FunctionalInterface
  interface Runner {
    void run(List<Long> seeds) throws Sequence.Failure;
  }

  /** A failure of fewer steps, or the same. */
  Sequence.Failure shrink(List<Long> seeds, Sequence.Failure failure) {
    List<Long> smallest = seeds.subList(0, failure.steps());
    Sequence.Failure last = failure;
    for (int size = Math.max(1, smallest.size() / 2); size > 0; size /= 2) {
      for (int from = 0; from < smallest.size() && tries < TRIES; ) {
        List<Long> fewer = new ArrayList<>(smallest);
        fewer.subList(from, Math.min(from + size, fewer.size())).clear();
        tries++;
        try {
          runner.run(fewer);
          from += size;
        } catch (Sequence.Failure e) {
          last = e;
          smallest = fewer.subList(0, e.steps());
        }
      }
    }
    return last;
  }
}
