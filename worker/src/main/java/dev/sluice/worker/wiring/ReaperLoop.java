package dev.sluice.worker.wiring;

import dev.sluice.activities.jobs.SourceJob;
import dev.sluice.activities.temporal.Reaper;
import dev.sluice.worker.metrics.RegisterMetrics;
import dev.sluice.worker.metrics.SluiceMetrics;
import dev.sluice.worker.metrics.SluiceMetrics.ReaperPass;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets this worker's reaper ask for its turn again and again. A problem is logged when it begins
 * and when it is over, not at every pass. Nothing a pass throws ends the loop.
 */
final class ReaperLoop implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReaperLoop.class);

  /** Turns are offered this often in a pause, so that passes are at most a quarter later. */
  private static final int OFFERS_IN_A_PAUSE = 4;

  private static final long END_WAIT_SECONDS = 10;

  private final Reaper reaper;
  private final Duration pause;
  private final SluiceMetrics metrics;
  private final RegisterMetrics registerMetrics;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("sluice-reaper").daemon().factory());

  private @Nullable Future<?> offers;

  // Only the loop's own thread uses it.
  private @Nullable String problem;

  ReaperLoop(
      Reaper reaper, Duration pause, SluiceMetrics metrics, RegisterMetrics registerMetrics) {
    this.reaper = reaper;
    this.pause = pause;
    this.metrics = metrics;
    this.registerMetrics = registerMetrics;
  }

  void start() {
    long offer = Math.max(1, pause.toMillis() / OFFERS_IN_A_PAUSE);
    offers = thread.scheduleWithFixedDelay(this::offer, 0, offer, TimeUnit.MILLISECONDS);
  }

  // A loop that ends at the first surprise would look after nothing from then on.
  @SuppressWarnings("IllegalCatch")
  void offer() {
    long begin = System.nanoTime();
    try {
      note(reaper.pass(), Duration.ofNanos(System.nanoTime() - begin));
    } catch (RuntimeException e) {
      metrics.reaperPass(ReaperPass.FAILED, Duration.ofNanos(System.nanoTime() - begin));
      began(String.valueOf(e.getMessage()));
    }
  }

  private void note(Reaper.Pass pass, Duration duration) {
    switch (pass) {
      case Reaper.Pass.NotYet notYet -> {
        return;
      }
      case Reaper.Pass.Done done -> {
        metrics.reaperPass(ReaperPass.DONE, duration);
        found(done);
        over();
      }
      case Reaper.Pass.TemporalAway away -> {
        metrics.reaperPass(ReaperPass.TEMPORAL_UNREACHABLE, duration);
        found(away.before());
        began(away.reason());
      }
    }
  }

  private void found(Reaper.Pass.Done done) {
    metrics.reaperFound(done.asked(), done.open(), done.restarted(), done.lakesAway().size());
    for (SourceJob job : done.reaped()) {
      metrics.reaperClosed(job.status().word());
      registerMetrics.ended(job);
    }
  }

  private void began(String reason) {
    if (problem == null) {
      log.warn("the reaper can do nothing until this is over: {}", reason);
    }
    problem = reason;
  }

  private void over() {
    if (problem != null) {
      log.info("the reaper is at work again; it was kept from it by: {}", problem);
      problem = null;
    }
  }

  @Override
  public void close() {
    if (offers != null) {
      offers.cancel(true);
    }
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(END_WAIT_SECONDS, TimeUnit.SECONDS)) {
        log.warn("the reaper has not ended within {} s", END_WAIT_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
