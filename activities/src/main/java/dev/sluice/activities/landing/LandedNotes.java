package dev.sluice.activities.landing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes landed files down beside the copying, many at once, so that no copy waits for a database.
 * What waits to be written is bounded: it is what a crash lets be copied a second time. One thread
 * adds, finishes and closes; the writing happens on another.
 *
 * @param <T> what is known of a landed file
 */
public final class LandedNotes<T> implements AutoCloseable {

  /** Files in one transaction, when they come fast enough. */
  static final int NOTED_AT_ONCE = 1024;

  /** Files that may wait while a transaction is under way. */
  private static final int WAITING_AT_MOST = 8 * NOTED_AT_ONCE;

  /** The longest that a single landed file waits for company. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Consumer<List<T>> ledger;
  private final Runnable alive;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread writer = Thread.ofVirtual().name("landed-notes").unstarted(this::write);
  private List<T> waiting = new ArrayList<>();
  private boolean ended;
  private boolean written;
  private @Nullable Throwable failure;

  /**
   * Begins to take notes.
   *
   * @param ledger writes files down in one transaction; called on a thread of its own, never twice
   *     at a time
   * @param alive called on the caller's thread about once a second while it has to wait here
   */
  public LandedNotes(Consumer<List<T>> ledger, Runnable alive) {
    this.ledger = ledger;
    this.alive = alive;
    writer.start();
  }

  /**
   * Takes a landed file; waits only while too many wait already.
   *
   * @throws RuntimeException what writing earlier ones failed with
   */
  public void add(T file) {
    lock.lock();
    try {
      while (failure == null && waiting.size() >= WAITING_AT_MOST) {
        if (changed.awaitNanos(LINGER_NANOS) <= 0) {
          alive.run();
        }
      }
    } catch (InterruptedException e) {
      // the next wait outside will tell; until then the file is one too many
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    append(file);
  }

  private void append(T file) {
    lock.lock();
    try {
      throwFailure();
      waiting.add(file);
      if (waiting.size() == NOTED_AT_ONCE) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until everything is written down.
   *
   * @throws RuntimeException what writing failed with
   * @throws InterruptedException when the caller was interrupted; not everything may be written
   */
  public void finish() throws InterruptedException {
    lock.lock();
    try {
      end();
      while (!written) {
        if (changed.awaitNanos(LINGER_NANOS) <= 0) {
          alive.run();
        }
      }
      throwFailure();
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    ended = true;
    changed.signalAll();
  }

  private void throwFailure() {
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException("writing throws nothing checked", failure);
    }
  }

  private void write() {
    Throwable failed = null;
    try {
      for (List<T> batch = next(); !batch.isEmpty(); batch = next()) {
        ledger.accept(batch);
      }
    } catch (RuntimeException | Error e) {
      // whoever adds or finishes gets it as it is
      failed = e;
    }
    lock.lock();
    try {
      failure = failed;
      written = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Everything that waits, as soon as it is worth a transaction; empty at the end. */
  private List<T> next() {
    lock.lock();
    try {
      long left = LINGER_NANOS;
      while (!ended && waiting.size() < NOTED_AT_ONCE) {
        left = waiting.isEmpty() ? LINGER_NANOS : left;
        if (left <= 0) {
          break;
        }
        left = changed.awaitNanos(left);
      }
      List<T> batch = waiting;
      waiting = new ArrayList<>();
      changed.signalAll();
      return batch;
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts the thread that takes notes", e);
    } finally {
      lock.unlock();
    }
  }

  /** Ends: what was added is still written down, if it can be, and no thread is left. */
  @Override
  public void close() {
    lock.lock();
    try {
      end();
      while (!written) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
