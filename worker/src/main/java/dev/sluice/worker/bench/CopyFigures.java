package dev.sluice.worker.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a round of the copy benchmark measured, both turns of it added up. Not thread-safe. */
final class CopyFigures {
  final Stopwatch prepare = new Stopwatch();
  final Stopwatch landing = new Stopwatch();
  final Stopwatch bareCopy = new Stopwatch();
  final Stopwatch inspect = new Stopwatch();
  final Stopwatch verify = new Stopwatch();
  final Stopwatch publish = new Stopwatch();
  int turns;

  /** Of one copy. */
  long bytes;

  long heapPeakBytes;

  /** Empty when its delta extension is not to be had here. */
  Optional<Double> duckDbSeconds = Optional.empty();

  /** The round of which as many took longer beside a bare copy as took shorter. */
  static CopyFigures median(List<CopyFigures> rounds) {
    return rounds.stream()
        .sorted(Comparator.comparingDouble(CopyFigures::timesBareCopy))
        .toList()
        .get(rounds.size() / 2);
  }

  double timesBareCopy() {
    return copySeconds() / bareCopySeconds();
  }

  /** Seconds of one copy from reading the log to the table being live. */
  double copySeconds() {
    return Stream.of(prepare, landing, inspect, verify, publish).mapToDouble(this::secondsOf).sum();
  }

  /** Seconds of one bare copy. */
  double bareCopySeconds() {
    return secondsOf(bareCopy);
  }

  /** Seconds of one time of a step. */
  double secondsOf(Stopwatch step) {
    return step.seconds() / turns;
  }
}
