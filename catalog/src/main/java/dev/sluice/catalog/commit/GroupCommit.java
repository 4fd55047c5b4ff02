package dev.sluice.catalog.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Commits requests that wait at the same time in one transaction, each as its own snapshot.
 *
 * <p>The lake admits one committer at a time, so the time of a COMMIT (one disk flush) is what
 * limits a lake. Whoever finds nobody committing becomes the leader, takes what waits, and writes
 * it together; the others sleep until they are told. A request that is refused leaves the rest of
 * its group untouched. Thread-safe.
 */
final class GroupCommit {

  /** Enough to share a flush among all writers of a worker, few enough to keep the lock short. */
  static final int MAX_GROUP = 16;

  private final CommitTransaction transaction;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition finished = lock.newCondition();
  private final Deque<Pending> waiting = new ArrayDeque<>();
  private boolean led;

  GroupCommit(CommitTransaction transaction) {
    this.transaction = transaction;
  }

  /** One request on its way. */
  static final class Pending {
    private final CommitRequest request;
    private @Nullable CommitResult result;
    private @Nullable Throwable failure;
    private boolean done;

    Pending(CommitRequest request) {
      this.request = request;
    }

    CommitRequest request() {
      return request;
    }

    void succeeded(CommitResult made) {
      result = made;
    }

    /** Forgets what an earlier transaction made of it. */
    void again() {
      result = null;
      failure = null;
    }

    void failed(Throwable cause) {
      result = null;
      failure = cause;
    }

    /** Why it failed; null when it did not. */
    @Nullable Throwable failure() {
      return failure;
    }

    CommitResult result(int tries) {
      if (result == null) {
        throw new IllegalStateException("a request that did not fail has a result");
      }
      return new CommitResult(result.snapshotId(), result.outcome(), tries);
    }
  }

  /** Commits the request, alone or with others; returns when its outcome stands in the result. */
  Pending submit(CommitRequest request) {
    Pending mine = new Pending(request);
    lock.lock();
    try {
      waiting.add(mine);
      while (!mine.done && led) {
        // a transaction that has begun cannot be left, so neither can the wait for it
        finished.awaitUninterruptibly();
      }
      if (mine.done) {
        return mine;
      }
      led = true;
    } finally {
      lock.unlock();
    }
    lead(mine);
    return mine;
  }

  private void lead(Pending mine) {
    List<Pending> group = new ArrayList<>();
    try {
      lock.lock();
      try {
        waiting.remove(mine);
        group.add(mine);
        while (group.size() < MAX_GROUP && !waiting.isEmpty()) {
          group.add(waiting.poll());
        }
      } finally {
        lock.unlock();
      }
      transaction.run(group);
    } finally {
      lock.lock();
      try {
        group.forEach(pending -> pending.done = true);
        led = false;
        finished.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
