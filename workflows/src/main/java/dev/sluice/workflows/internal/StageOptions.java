package dev.sluice.workflows.internal;

import dev.sluice.workflows.FailureTypes;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/**
 * Time-outs and retries of the activities that bring generations in. Every activity is keyed by its
 * attempt, resumes from the ledger and is held back by the fence, so repeating one is safe and most
 * may be repeated often. A cancelled activity is waited for: its outcome must be known before the
 * attempt is closed.
 */
final class StageOptions {
  /** A stage that heartbeats is given up after this long without one; two object copies fit in. */
  static final Duration HEARTBEAT = Duration.ofSeconds(30);

  /** First pause; most failures are a restart or a lost connection, over within seconds. */
  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  /** Longest pause; a database or store that is back is noticed within this. */
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /**
   * One flag look-up. A gate that cannot answer is closed, so there is no second attempt; whether
   * anybody has answered is decided in {@link GateQuestion}.
   */
  static final ActivityOptions GATE = options(Duration.ofSeconds(30), retry(1)).build();

  /**
   * A few rows in the home database. Without limit of attempts: nothing can run without that
   * database, and a trigger must outlast its absence.
   */
  static final ActivityOptions JOBS = options(Duration.ofSeconds(30), retry(0)).build();

  /**
   * Listing a folder of tens of thousands of files takes a minute; five attempts ride out about
   * half a minute of a store's or catalog's absence beyond the SDKs' own retries. It beats only so
   * that a killed worker is noticed long before the five minutes are over.
   */
  static final ActivityOptions PREPARE =
      options(Duration.ofMinutes(5), retry(5)).setHeartbeatTimeout(HEARTBEAT).build();

  /**
   * Terabytes by server-side copy. Resumable: an attempt costs only the objects in flight, so ten
   * of them, for worker restarts and roll-outs in a long run.
   */
  static final ActivityOptions LAND =
      options(Duration.ofHours(4), retry(10)).setHeartbeatTimeout(HEARTBEAT).build();

  /** One small request per file; resumable as landing is. */
  static final ActivityOptions INSPECT =
      options(Duration.ofHours(1), retry(10)).setHeartbeatTimeout(HEARTBEAT).build();

  /**
   * Counting is quick, comparing contents reads everything twice. A failed check is not retried;
   * five attempts are for the store and the worker.
   */
  static final ActivityOptions VERIFY =
      options(Duration.ofHours(2), retry(5)).setHeartbeatTimeout(HEARTBEAT).build();

  /**
   * The commit itself takes seconds and has its own retries; the check that every object exists
   * goes before it. Attempts are not limited but the whole is: an unknown outcome is settled by the
   * next attempt's look-up, whenever the catalog can be reached again.
   */
  static final ActivityOptions PUBLISH =
      options(Duration.ofMinutes(10), retry(0))
          .setHeartbeatTimeout(HEARTBEAT)
          .setScheduleToCloseTimeout(Duration.ofHours(6))
          .build();

  private StageOptions() {}

  private static ActivityOptions.Builder options(Duration perAttempt, RetryOptions retry) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(perAttempt)
        .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
        .setRetryOptions(retry);
  }

  /** Zero attempts means no limit, as in Temporal. */
  private static RetryOptions retry(int maximumAttempts) {
    return RetryOptions.newBuilder()
        .setInitialInterval(FIRST_PAUSE)
        .setMaximumInterval(LONGEST_PAUSE)
        .setMaximumAttempts(maximumAttempts)
        .setDoNotRetry(FailureTypes.nonRetryable().toArray(String[]::new))
        .build();
  }
}
