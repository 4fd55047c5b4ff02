package dev.sluice.worker.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Writers that begin together, commit without pause for a while, and are counted. */
final class WriterCrowd {

  private static final double NANOS = 1e9;

  private WriterCrowd() {}

  /** One commit of one writer. */
  interface Writer {
    /**
     * Commits once.
     *
     * @param round 0, 1, … for each writer
     */
    // DuckDB and our catalog have nothing in common below it.
    @SuppressWarnings("IllegalThrows")
    void commit(int round) throws Exception;
  }

  /**
   * What a crowd did.
   *
   * @param commits commits that succeeded
   * @param failures failures that reached a writer
   * @param firstFailure text of the first; null when there was none
   * @param seconds from the first begin to the last end
   */
  record Outcome(long commits, long failures, @Nullable String firstFailure, double seconds) {
    double perSecond() {
      return commits / seconds;
    }
  }

  static Outcome run(List<Writer> writers, Duration duration) throws InterruptedException {
    AtomicLong commits = new AtomicLong();
    AtomicLong failures = new AtomicLong();
    AtomicReference<@Nullable String> first = new AtomicReference<>();
    CyclicBarrier together = new CyclicBarrier(writers.size() + 1);
    long begin;
    try (ExecutorService pool = Executors.newFixedThreadPool(writers.size())) {
      List<Future<?>> running = new ArrayList<>();
      for (Writer writer : writers) {
        running.add(
            pool.submit(
                () -> {
                  together.await();
                  long end = System.nanoTime() + duration.toNanos();
                  for (int round = 0; System.nanoTime() < end; round++) {
                    try {
                      writer.commit(round);
                      commits.incrementAndGet();
                    } catch (Exception e) {
                      failures.incrementAndGet();
                      first.compareAndSet(null, String.valueOf(e.getMessage()));
                    }
                  }
                  return writer;
                }));
      }
      together.await();
      begin = System.nanoTime();
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException | BrokenBarrierException e) {
      throw BenchErrors.failed("a writer", e);
    }
    double seconds = (System.nanoTime() - begin) / NANOS;
    return new Outcome(commits.get(), failures.get(), first.get(), seconds);
  }
}
