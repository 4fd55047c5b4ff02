package dev.sluice.catalog.commit;

import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Limits and outside influences of commits.
 *
 * @param maxTries transactions per request before it is given up as busy
 * @param firstPause pause after the first lost try; doubles with each, up to {@code longestPause},
 *     and is shortened at random by up to half
 * @param longestPause longest pause between tries
 * @param lockTimeout how long a try waits for the lake's lock
 * @param statementTimeout how long one statement may take
 * @param idleTimeout how long the transaction may sit idle before the server ends it, so that a
 *     stalled process cannot block the lake
 * @param neighbourAge minimum age of the newest snapshot before our next commit while other writers
 *     are seen
 * @param neighbourMemory how long a foreign commit counts as seen
 * @param clock for remembering foreign commits; never for what is stored
 * @param sleeper how pauses are made
 * @param random for jitter
 */
public record CommitSettings(
    int maxTries,
    Duration firstPause,
    Duration longestPause,
    Duration lockTimeout,
    Duration statementTimeout,
    Duration idleTimeout,
    Duration neighbourAge,
    Duration neighbourMemory,
    Clock clock,
    Sleeper sleeper,
    RandomGenerator random) {

  /** Lost races are rare behind our own lock; ten tries outlast a busy DuckDB. */
  private static final int MAX_TRIES = 10;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** A publication of 24,000 files holds the lock for about a second; thirty of them may queue. */
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(30);

  /** One COPY of a million statistics rows takes a few seconds. */
  private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(60);

  /** All slow work happens before; a healthy commit is never idle for a second. */
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(15);

  /** DuckDB needs some 10 ms from reading the newest snapshot to inserting its own. */
  private static final Duration NEIGHBOUR_AGE = Duration.ofMillis(30);

  /** Longer than the ten retries of a DuckDB that is losing (about 11 s). */
  private static final Duration NEIGHBOUR_MEMORY = Duration.ofMinutes(2);

  /** The limits for production. */
  public static CommitSettings defaults() {
    return new CommitSettings(
        MAX_TRIES,
        FIRST_PAUSE,
        LONGEST_PAUSE,
        LOCK_TIMEOUT,
        STATEMENT_TIMEOUT,
        IDLE_TIMEOUT,
        NEIGHBOUR_AGE,
        NEIGHBOUR_MEMORY,
        Clock.systemUTC(),
        Sleeper.REAL,
        RandomGenerator.getDefault());
  }

  /** The same with other server-side time-outs. */
  public CommitSettings withTimeouts(Duration lock, Duration statement, Duration idle) {
    return new CommitSettings(
        maxTries,
        firstPause,
        longestPause,
        lock,
        statement,
        idle,
        neighbourAge,
        neighbourMemory,
        clock,
        sleeper,
        random);
  }

  /** The same with pauses made in another way. */
  CommitSettings withSleeper(Sleeper other) {
    return new CommitSettings(
        maxTries,
        firstPause,
        longestPause,
        lockTimeout,
        statementTimeout,
        idleTimeout,
        neighbourAge,
        neighbourMemory,
        clock,
        other,
        random);
  }

  /** The pause after the given number of lost tries. */
  Duration pauseAfter(int lostTries) {
    long millis = firstPause.toMillis() << Math.min(lostTries - 1, 20);
    long capped = Math.min(millis, longestPause.toMillis());
    return Duration.ofMillis(capped / 2 + random.nextLong(capped / 2 + 1));
  }
}
