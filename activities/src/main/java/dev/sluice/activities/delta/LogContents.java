package dev.sluice.activities.delta;

import dev.sluice.activities.delta.LogListing.LogFile;
import dev.sluice.activities.storage.ObjectStore;
import dev.sluice.activities.storage.StorageException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Reads whole log files for one replay. Kernel asks for commits one after the other, newest first;
 * from the second one on the following ones are read ahead in parallel, twice as many each time.
 * Used by one thread; closing it waits for what is still being read.
 */
final class LogContents implements AutoCloseable {

  /** Enough to hide the latency of an object store; a commit has some kilobytes. */
  private static final int MOST_AHEAD = 32;

  /** Files above this are read in pieces ({@link LogStream}), never whole. */
  static final int WHOLE_FILE_BYTES = 4 << 20;

  /** Together the files read ahead take at most this. */
  private static final long AHEAD_BYTES = 32 << 20;

  private final ObjectStore folder;
  private final LogListing listing;
  private final LogCache cache;
  private final long start;
  private final Map<String, Future<byte[]>> ahead = new HashMap<>();
  private @Nullable ExecutorService executor;
  private long aheadBytes;
  private int width = 1;

  /**
   * Prepares a replay.
   *
   * @param start version of the checkpoint the replay ends with; -1 when it goes back to version 0
   */
  LogContents(ObjectStore folder, LogListing listing, LogCache cache, long start) {
    this.folder = folder;
    this.listing = listing;
    this.cache = cache;
    this.start = start;
  }

  /** The content of a log file that is not above {@link #WHOLE_FILE_BYTES}. */
  byte[] read(LogFile file) {
    Future<byte[]> begun = ahead.remove(file.name());
    if (begun != null) {
      aheadBytes -= file.sizeBytes();
    }
    if (LogListing.isCommit(file.name())) {
      readAhead(file);
    }
    byte[] known = cache.find(file.name());
    if (known != null) {
      return known;
    }
    byte[] content = begun == null ? load(file) : await(begun);
    cache.keep(file.name(), content);
    return content;
  }

  private void readAhead(LogFile file) {
    for (LogFile next : listing.commitsBefore(file.name(), start, width)) {
      if (!ahead.containsKey(next.name())
          && cache.find(next.name()) == null
          && next.sizeBytes() <= WHOLE_FILE_BYTES
          && aheadBytes + next.sizeBytes() <= AHEAD_BYTES) {
        aheadBytes += next.sizeBytes();
        ahead.put(next.name(), executor().submit(() -> load(next)));
      }
    }
    width = Math.min(MOST_AHEAD, width * 2);
  }

  private ExecutorService executor() {
    ExecutorService running = executor;
    if (running == null) {
      running = Executors.newVirtualThreadPerTaskExecutor();
      executor = running;
    }
    return running;
  }

  private byte[] load(LogFile file) {
    return folder.read(file.key(), 0, Math.max(1, Math.toIntExact(file.sizeBytes())));
  }

  private byte[] await(Future<byte[]> begun) {
    try {
      return begun.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DeltaErrors.interrupted(folder.location(), e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case StorageException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    if (executor != null) {
      executor.shutdownNow();
      executor.close();
    }
  }
}
