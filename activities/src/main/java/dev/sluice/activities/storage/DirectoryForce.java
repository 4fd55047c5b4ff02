package dev.sluice.activities.storage;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Forces directories to disk, once for all threads that wait for the same one: a force makes every
 * name durable that was there when it began. Copying many small files into one folder needs half
 * the forces this way. Thread-safe.
 */
final class DirectoryForce {

  private final Map<Path, Shared> shared = new ConcurrentHashMap<>();

  /** Returns when a force of the directory that began after this call has ended. */
  void force(Path directory) throws IOException {
    Shared joined =
        Objects.requireNonNull(
            shared.compute(
                directory,
                (key, known) -> {
                  Shared one = known == null ? new Shared() : known;
                  one.users++;
                  return one;
                }));
    try {
      joined.force(directory);
    } finally {
      shared.computeIfPresent(directory, (key, known) -> --known.users == 0 ? null : known);
    }
  }

  private static final class Shared {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private int users;
    private long begun;
    private long done;
    private boolean running;

    void force(Path directory) throws IOException {
      lock.lock();
      try {
        // one that runs already may have begun before the name was there
        long needed = begun + 1;
        while (done < needed) {
          while (running && done < needed) {
            ended.await();
          }
          if (done < needed) {
            run(directory);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClosedByInterruptException();
      } finally {
        lock.unlock();
      }
    }

    /** When it fails only its own thread hears of it; another that waits tries for itself. */
    private void run(Path directory) throws IOException {
      begun++;
      long mine = begun;
      running = true;
      lock.unlock();
      boolean forced = false;
      try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
        opened.force(true);
        forced = true;
      } finally {
        lock.lock();
        running = false;
        done = forced ? mine : done;
        ended.signalAll();
      }
    }
  }
}
