package dev.sluice.activities.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder of this process alone, removed with everything in it when closed. */
public final class TemporaryFolder implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(TemporaryFolder.class);

  private final Path path;

  private TemporaryFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes one.
   *
   * @throws java.io.UncheckedIOException when the system's temporary folder cannot be used
   */
  public static TemporaryFolder create() {
    try {
      return new TemporaryFolder(Files.createTempDirectory("sluice-"));
    } catch (IOException e) {
      throw StorageErrors.noTemporaryFolder(e);
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(path)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      log.warn("{} could not be removed: {}", path, e.toString());
    }
  }
}
