package dev.sluice.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets one thread of one JVM fetch what all of them find afterwards. Thread-safe. */
final class FetchedOnce {

  private static final Logger log = LoggerFactory.getLogger(FetchedOnce.class);
  private static final Object IN_THIS_JVM = new Object();

  private FetchedOnce() {}

  /** Fetches. */
  @FunctionalInterface
  interface Fetch {
    void run() throws IOException;
  }

  /**
   * Fetches unless it is there, holding the cache's lock meanwhile.
   *
   * @param cache made when it is not there
   * @throws EmbeddedStackException when the cache cannot be used, and what the fetching throws
   */
  static void into(Path cache, BooleanSupplier isThere, Fetch fetch) {
    if (isThere.getAsBoolean()) {
      return;
    }
    try {
      Files.createDirectories(cache);
      synchronized (IN_THIS_JVM) {
        try (FileChannel channel =
                FileChannel.open(
                    cache.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock held = channel.lock()) {
          log.trace("fetching under {}", held);
          // Another JVM may have fetched it while this one waited.
          if (!isThere.getAsBoolean()) {
            fetch.run();
          }
        }
      }
    } catch (IOException e) {
      throw EmbeddedErrors.folderUnusable(cache, e);
    }
  }
}
