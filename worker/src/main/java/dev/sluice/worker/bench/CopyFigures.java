package dev.sluice.worker.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What the copy benchmark measured. Not thread-safe. */
final class CopyFigures {
  final Stopwatch prepare = new Stopwatch();
  final Stopwatch landing = new Stopwatch();
  final Stopwatch bareCopy = new Stopwatch();
  final Stopwatch inspect = new Stopwatch();
  final Stopwatch verify = new Stopwatch();
  final Stopwatch publish = new Stopwatch();
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
    return copySeconds() / bareCopy.seconds();
  }

  /** Seconds from reading the log to the table being live. */
  double copySeconds() {
    return prepare.seconds()
        + landing.seconds()
        + inspect.seconds()
        + verify.seconds()
        + publish.seconds();
  }
}
