package dev.sluice.worker.bench;

import java.util.Map;

/** What a run of the register benchmark measured, raw; filled in step by step. */
final class RegisterFigures {
  final Stopwatch landing = new Stopwatch();
  final Stopwatch bareCopy = new Stopwatch();
  final Stopwatch inspect = new Stopwatch();
  final Stopwatch verify = new Stopwatch();
  final Stopwatch publish = new Stopwatch();
  final Stopwatch tails = new Stopwatch();
  final Stopwatch listing = new Stopwatch();
  double endpointProcessorSeconds;
  double ourProcessorSeconds;
  double transactionSeconds = Double.MAX_VALUE;
  double bareRowsSeconds = Double.MAX_VALUE;
  double duckDbSeconds;
  double duckDbHalfSeconds;
  long bytes;
  long rows;
  long heapPeakBytes;
  long heapKeptBytes;
  Map<String, Long> inspectCalls = Map.of();
  Map<String, Long> verifyCalls = Map.of();
  Map<String, Long> publishCalls = Map.of();
  Map<String, Long> duckDbCalls = Map.of();

  /** Takes a publishing transaction; the shortest counts, as it does for the bare COPY. */
  void transaction(double seconds) {
    transactionSeconds = Math.min(transactionSeconds, seconds);
  }

  /** Takes a bare COPY; the shortest counts. */
  void bareRows(double seconds) {
    bareRowsSeconds = Math.min(bareRowsSeconds, seconds);
  }

  /** Seconds of the stages that do what {@code ducklake_add_data_files} does. */
  double registeringSeconds() {
    return inspect.seconds() + verify.seconds() + publish.seconds();
  }

  /** Seconds that the endpoint takes to answer what our stages ask, with nothing done with it. */
  double endpointSeconds() {
    return tails.seconds() + listing.seconds();
  }

  /** DuckDB's seconds for all files: measured, or along the line through its two measurements. */
  double duckDbSecondsForAll(RegisterPlan plan) {
    if (!plan.extrapolates()) {
      return duckDbSeconds;
    }
    return duckDbSeconds
        + duckDbSecondsPerFile(plan) * (plan.files() - (double) plan.duckDbFiles());
  }

  private double duckDbSecondsPerFile(RegisterPlan plan) {
    int half = Math.max(1, plan.duckDbFiles() / 2);
    int more = plan.duckDbFiles() - half;
    return more == 0 ? duckDbSeconds : Math.max(0, duckDbSeconds - duckDbHalfSeconds) / more;
  }
}
