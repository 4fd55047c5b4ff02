package dev.sluice.worker.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Tells the endpoint's processor time from ours while both share one process: an endpoint in
 * production has a machine of its own. PostgreSQL and DuckDB's server side are not in it.
 */
final class ProcessorWatch {

  private static final double NANOS = 1e9;

  private final BenchStack stack;
  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final Duration endpointBefore;
  private final long processBefore;

  private ProcessorWatch(BenchStack stack) {
    this.stack = stack;
    this.endpointBefore = stack.endpointProcessorTime();
    this.processBefore = process.getProcessCpuTime();
  }

  static ProcessorWatch start(BenchStack stack) {
    return new ProcessorWatch(stack);
  }

  /**
   * Seconds of one core since the start.
   *
   * @param endpoint of the S3 endpoint's threads
   * @param ours of everything else in this process
   */
  record Seconds(double endpoint, double ours) {}

  Seconds stop() {
    double endpoint = stack.endpointProcessorTime().minus(endpointBefore).toNanos() / NANOS;
    double all = (process.getProcessCpuTime() - processBefore) / NANOS;
    return new Seconds(endpoint, all - endpoint);
  }
}
