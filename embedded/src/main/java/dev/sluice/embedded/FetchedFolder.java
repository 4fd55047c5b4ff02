package dev.sluice.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder of the project's cache that is filled once and then used again. Thread-safe. */
final class FetchedFolder {

  private static final Logger log = LoggerFactory.getLogger(FetchedFolder.class);

  private FetchedFolder() {}

  /** Fills a new folder. */
  @FunctionalInterface
  interface Filling {
    /**
     * Fills it.
     *
     * @param work for what is needed on the way; removed afterwards
     * @param target to be filled
     */
    void fill(Path work, Path target) throws IOException;
  }

  /**
   * The folder of that name, filled by one JVM and one thread when it is not there yet. A reader
   * sees the whole folder or none.
   *
   * @throws EmbeddedStackException when the cache cannot be used, and what the filling throws
   */
  static Path require(Path cache, String name, Filling filling) {
    Path folder = cache.resolve(name);
    FetchedOnce.into(cache, () -> Files.isDirectory(folder), () -> fill(cache, folder, filling));
    return folder;
  }

  private static void fill(Path cache, Path folder, Filling filling) throws IOException {
    log.info("fetching once, into {}", folder);
    Path work = Files.createTempDirectory(cache, "fetch");
    try {
      Path target = Files.createDirectory(work.resolve("filled"));
      filling.fill(work, target);
      Files.move(target, folder, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      ScratchFolder.deleteRecursively(work);
    }
  }
}
